/** Foreground work for measuring the influence of pool tasks. */
@NullMarked
package dev.imker.bench.neighbour;

import org.jspecify.annotations.NullMarked;
