/** Tests. */
@NullMarked
package dev.imker.planner.pddl;

import org.jspecify.annotations.NullMarked;
