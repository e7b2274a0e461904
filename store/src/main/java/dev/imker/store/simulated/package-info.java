/** A store in memory for simulations, which can fail and lose power at every step. */
@NullMarked
package dev.imker.store.simulated;

import org.jspecify.annotations.NullMarked;
