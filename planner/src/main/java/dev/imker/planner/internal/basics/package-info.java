/** Bit sets, integer lists and a stopwatch. */
@NullMarked
package dev.imker.planner.internal.basics;

import org.jspecify.annotations.NullMarked;
