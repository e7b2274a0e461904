package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.ProjectProfile;

/**
 * The expectations of a strategy about attempts. Lengths of tasks are told as multiples of what a
 * task of the project usually takes on the node in question, so that they can be compared between
 * nodes.
 */
public interface Outlook {
  /** Levels are below this. */
  int LEVELS = 8;

  /** No other task is known to be like it. */
  int NO_LEVEL = -1;

  /** Tasks of the same level, of the same project, have the same outlook on a node. */
  default int level(ProjectProfile project, double atLeast) {
    return 0;
  }

  /** Minutes that all nodes have worked so far; without bounds where nobody counts them. */
  default double workedMinutes() {
    return Double.POSITIVE_INFINITY;
  }

  /** Minutes that a task of the project usually takes on the node. */
  double minutes(NodeProfile node, ProjectProfile project);

  /**
   * Expected minutes, without an outage, of a task on which {@code done} usual times were spent
   * here, and of which is known that it takes more than {@code atLeast} of them.
   */
  double minutesLeft(NodeProfile node, ProjectProfile project, double atLeast, double done);

  /** Probability that the node finishes such a task before its next outage. */
  double chance(
      long nowMillis, NodeProfile node, ProjectProfile project, double atLeast, double done);
}
