/** What no scheduler can do better, by linear programmes. */
@NullMarked
package dev.imker.sim.bound;

import org.jspecify.annotations.NullMarked;
