package dev.imker.core.strategy.catalogue;

import dev.imker.core.profile.PoolProfile;
import dev.imker.core.strategy.Choice;
import java.util.Locale;

/**
 * Brings reliable nodes and long tasks together: nodes are ranked 0..20 by reputation (nP),
 * projects 0..20 by the class of their run time (nTIME); the nearest project is served.
 */
final class Performance extends LeastCost {
  private static final int LEVELS = 20;

  private double shortest;
  private double longest;

  @Override
  public String name() {
    return "performance";
  }

  @Override
  void prepare(Choice choice) {
    PoolProfile pool = choice.pool();
    shortest = Double.POSITIVE_INFINITY;
    longest = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < pool.projects(); k++) {
      double length = pool.project(k).runTimeClass();
      shortest = Math.min(shortest, length);
      longest = Math.max(longest, length);
    }
  }

  @Override
  double cost(Choice choice, int position) {
    return Math.abs(projectLevel(choice, position) - nodeLevel(choice));
  }

  @Override
  String describe(Choice choice, int position) {
    return String.format(
        Locale.ROOT,
        "run-time level %d for a node of level %d",
        projectLevel(choice, position),
        nodeLevel(choice));
  }

  int projectLevel(Choice choice, int position) {
    return level(choice.candidate(position).runTimeClass(), shortest, longest);
  }

  static int nodeLevel(Choice choice) {
    PoolProfile pool = choice.pool();
    return level(choice.node().reputation(), pool.minReputation(), pool.maxReputation());
  }

  /** ⌊(value − min)/(max − min)·20 + 0.5⌋; 0 where all are equal. */
  static int level(double value, double min, double max) {
    if (max <= min) {
      return 0;
    }
    double share = Math.clamp((value - min) / (max - min), 0.0, 1.0);
    return (int) Math.floor(share * LEVELS + 0.5);
  }
}
