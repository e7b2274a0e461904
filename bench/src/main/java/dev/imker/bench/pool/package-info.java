/** Pools of real processes for measurements. */
@NullMarked
package dev.imker.bench.pool;

import org.jspecify.annotations.NullMarked;
