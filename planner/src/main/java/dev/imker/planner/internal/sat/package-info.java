/** A solver for propositional formulas (CDCL). */
@NullMarked
package dev.imker.planner.internal.sat;

import org.jspecify.annotations.NullMarked;
