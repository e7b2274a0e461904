package dev.imker.planner.internal.sat;

import dev.imker.planner.internal.basics.Stopwatch;
import org.sat4j.core.VecInt;
import org.sat4j.minisat.SolverFactory;
import org.sat4j.specs.ContradictionException;
import org.sat4j.specs.ISolver;
import org.sat4j.specs.TimeoutException;

/** sat4j as the second opinion. */
final class Sat4jSolver implements SatSolver {
  private final ISolver solver = SolverFactory.newDefault();
  private int variables;
  private boolean contradiction;

  @Override
  public int newVariable() {
    return ++variables;
  }

  @Override
  public void addClause(int... literals) {
    try {
      solver.addClause(new VecInt(literals.clone()));
    } catch (ContradictionException _) {
      contradiction = true;
    }
  }

  @Override
  public boolean isSatisfiable(int... assumptions) {
    try {
      return !contradiction && solver.isSatisfiable(new VecInt(assumptions.clone()), false);
    } catch (TimeoutException _) {
      throw new Stopwatch.Stopped();
    }
  }

  @Override
  public boolean isTrue(int variable) {
    return solver.model(variable);
  }
}
