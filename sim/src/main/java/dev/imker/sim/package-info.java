/** The simulator: a pool in memory under the real scheduler. */
@NullMarked
package dev.imker.sim;

import org.jspecify.annotations.NullMarked;
