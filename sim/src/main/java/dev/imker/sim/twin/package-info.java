/** Replays the recorded life of a pool under other strategies. */
@NullMarked
package dev.imker.sim.twin;

import org.jspecify.annotations.NullMarked;
