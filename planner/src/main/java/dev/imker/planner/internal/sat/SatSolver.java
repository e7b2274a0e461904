package dev.imker.planner.internal.sat;

import dev.imker.planner.internal.basics.Stopwatch;

/**
 * Decides propositional formulas that grow. Literals are variables (from 1 on), negated with a
 * minus sign.
 */
public interface SatSolver {
  int newVariable();

  void addClause(int... literals);

  /**
   * Whether all clauses can be true together with the assumed literals.
   *
   * @throws Stopwatch.Stopped when the time is over
   */
  boolean isSatisfiable(int... assumptions);

  /** The value of a variable after {@link #isSatisfiable} has said yes. */
  boolean isTrue(int variable);
}
