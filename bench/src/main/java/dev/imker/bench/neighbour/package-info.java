/** Foreground work that the influence of pool tasks is measured on. */
@NullMarked
package dev.imker.bench.neighbour;

import org.jspecify.annotations.NullMarked;
