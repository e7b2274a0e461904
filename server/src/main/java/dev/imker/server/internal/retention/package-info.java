/** How long finished work is kept, and what removes it after that. */
@NullMarked
package dev.imker.server.internal.retention;

import org.jspecify.annotations.NullMarked;
