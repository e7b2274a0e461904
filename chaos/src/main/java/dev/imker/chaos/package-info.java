/** Injects faults into a pool of real processes; see {@link dev.imker.chaos.Main}. */
@NullMarked
package dev.imker.chaos;

import org.jspecify.annotations.NullMarked;
