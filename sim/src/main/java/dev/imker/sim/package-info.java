/** Discrete-event simulator that drives the production scheduler. */
@NullMarked
package dev.imker.sim;

import org.jspecify.annotations.NullMarked;
