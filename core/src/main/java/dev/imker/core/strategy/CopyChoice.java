package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;

/**
 * A slot that stays free, and RUNNING tasks that allow speculative copies, fit the node and are not
 * on it yet. The scheduler bounds their number (longest running first). Valid only during the call
 * it is given to.
 */
public interface CopyChoice {
  long nowMillis();

  NodeProfile node();

  int candidates();

  ProjectProfile project(int position);

  /**
   * How many live attempts of connected agents work on the task; 0 if all are lost and it waits to
   * become READY, or if the connections of all ended.
   */
  int holders(int position);

  NodeProfile holder(int position, int holder);

  /** When that attempt was assigned. */
  long startedMillis(int position, int holder);

  PoolProfile pool();

  /**
   * The default choice for strategies without their own; specific to this scheduler, because it has
   * state.
   */
  TailCopies byReputation();
}
