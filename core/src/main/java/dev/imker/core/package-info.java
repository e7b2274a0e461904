/** Scheduler state machine, node profiles, strategies. */
@NullMarked
package dev.imker.core;

import org.jspecify.annotations.NullMarked;
