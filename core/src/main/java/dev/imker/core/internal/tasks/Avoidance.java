package dev.imker.core.internal.tasks;

import dev.imker.core.profile.NodeProfile;

/** A task failed on this node and should try another one first, but not wait for it for ever. */
public record Avoidance(NodeProfile node, long untilMillis) {
  public boolean concerns(NodeProfile candidate, long nowMillis) {
    return node == candidate && nowMillis < untilMillis;
  }
}
