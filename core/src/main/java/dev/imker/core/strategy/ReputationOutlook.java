package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.ProjectProfile;

/** Expectations from the averages alone: reputation as chance, run times scaled by benchmark. */
final class ReputationOutlook implements Outlook {
  private static final double MIN_CHANCE = 0.02;
  private static final double REFERENCE_BENCHMARK = 4000;

  @Override
  public double minutes(NodeProfile node, ProjectProfile project) {
    double benchmark = node.benchmarkMillis();
    double slowness = benchmark > 0 ? benchmark / REFERENCE_BENCHMARK : 1;
    return Math.max(1, project.runMinutes()) * slowness;
  }

  @Override
  public double minutesLeft(NodeProfile node, ProjectProfile project, double atLeast, double done) {
    return Math.max(1, minutes(node, project) * (1 - done));
  }

  @Override
  public double chance(
      long nowMillis, NodeProfile node, ProjectProfile project, double atLeast, double done) {
    return Math.max(MIN_CHANCE, (1 + node.reputation()) / 2);
  }
}
