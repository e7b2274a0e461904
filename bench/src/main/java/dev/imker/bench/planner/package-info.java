/** Planners in processes of their own, so that one that finds no end can be ended. */
@NullMarked
package dev.imker.bench.planner;

import org.jspecify.annotations.NullMarked;
