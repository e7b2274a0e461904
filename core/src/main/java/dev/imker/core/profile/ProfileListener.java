package dev.imker.core.profile;

/** Is notified after the profiles record something; strategies that learn more are listeners. */
public interface ProfileListener {
  default void onNodeUp(long nowMillis, NodeProfile node) {}

  /** A node went down after an up-time of that many minutes. */
  default void onNodeDown(long nowMillis, NodeProfile node, double uptimeMinutes) {}

  default void onNodeLeft(long nowMillis, NodeProfile node) {}

  default void onAssigned(long nowMillis, NodeProfile node, ProjectProfile project) {}

  default void onSucceeded(
      long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {}

  /** An attempt failed or was lost after that many minutes. */
  default void onFailed(long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {}

  /** An attempt ended without telling anything of node or task. */
  default void onWithdrawn(
      long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {}
}
