/** Whole pools in one thread, with virtual time, faults and a seed that decides everything. */
@NullMarked
package dev.imker.chaos.simulated;

import org.jspecify.annotations.NullMarked;
