package dev.imker.planner.internal.ground;

import dev.imker.planner.pddl.Literal;
import java.util.List;

/**
 * A planning problem over numbered propositions. Conditions are positive throughout: a literal that
 * something requires to be false is a proposition of its own.
 */
public final class GroundTask {
  public final List<Literal> propositions;
  public final List<GroundAction> actions;
  public final int[] init;
  public final int[] goal;
  private final boolean goalReachable;

  GroundTask(
      List<Literal> propositions,
      List<GroundAction> actions,
      int[] init,
      int[] goal,
      boolean goalReachable) {
    this.propositions = List.copyOf(propositions);
    this.actions = List.copyOf(actions);
    this.init = init;
    this.goal = goal;
    this.goalReachable = goalReachable;
  }

  /** False when the goal cannot be reached even if nothing were ever deleted. */
  public boolean goalReachable() {
    return goalReachable;
  }

  public int propositionCount() {
    return propositions.size();
  }

  public int actionCount() {
    return actions.size();
  }
}
