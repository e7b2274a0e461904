/** Searching for a plan: planning graph, state space, satisfiability, and the race between them. */
@NullMarked
package dev.imker.planner.internal.search;

import org.jspecify.annotations.NullMarked;
