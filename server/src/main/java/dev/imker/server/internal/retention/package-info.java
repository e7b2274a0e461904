/** Retention of finished work. */
@NullMarked
package dev.imker.server.internal.retention;

import org.jspecify.annotations.NullMarked;
