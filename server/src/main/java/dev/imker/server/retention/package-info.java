/** How long finished work is kept, and what removes it after that. */
@NullMarked
package dev.imker.server.retention;

import org.jspecify.annotations.NullMarked;
