package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import java.util.random.RandomGenerator;

/**
 * A free slot of a node and the projects it may serve. Valid only during the call it is given to.
 */
public interface Choice {
  long nowMillis();

  NodeProfile node();

  /**
   * How many projects have a READY task that fits the node, and a user whose turn it is; in the
   * order of their definition.
   */
  int candidates();

  ProjectProfile candidate(int position);

  /** How many projects have a READY task that fits the node, whosever turn it is. */
  default int fitting() {
    return candidates();
  }

  default ProjectProfile fitting(int position) {
    return candidate(position);
  }

  /** All nodes and projects, whether or not they are candidates. */
  PoolProfile pool();

  RandomGenerator random();
}
