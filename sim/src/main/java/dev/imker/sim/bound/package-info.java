/** Bounds for any scheduler, by linear programmes. */
@NullMarked
package dev.imker.sim.bound;

import org.jspecify.annotations.NullMarked;
