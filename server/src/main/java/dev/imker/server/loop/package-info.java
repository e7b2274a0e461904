/** The single thread that owns the live state of the pool. */
@NullMarked
package dev.imker.server.loop;

import org.jspecify.annotations.NullMarked;
