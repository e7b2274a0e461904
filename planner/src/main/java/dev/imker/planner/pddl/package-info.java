/** The lifted planning model and the reader that builds it from PDDL text. */
@NullMarked
package dev.imker.planner.pddl;

import org.jspecify.annotations.NullMarked;
