/** Planning graph, search, PDDL; usable alone. */
@NullMarked
package dev.imker.planner;

import org.jspecify.annotations.NullMarked;
