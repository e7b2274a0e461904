package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.ProjectProfile;

/** What a strategy expects of attempts. */
public interface Outlook {
  /** Expected minutes of a task of the project on the node. */
  double minutes(NodeProfile node, ProjectProfile project);

  /** Probability that the node works on without an outage for that many minutes. */
  double survival(long nowMillis, NodeProfile node, double minutes);

  /** Expected minutes until an outage, at most the given ones. */
  double expectedMinutes(long nowMillis, NodeProfile node, double minutes);
}
