/** Executing calls in the pool. */
@NullMarked
package dev.imker.client.internal.pool;

import org.jspecify.annotations.NullMarked;
