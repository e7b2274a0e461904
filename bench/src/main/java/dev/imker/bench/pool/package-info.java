/** Pools of real processes to be measured. */
@NullMarked
package dev.imker.bench.pool;

import org.jspecify.annotations.NullMarked;
