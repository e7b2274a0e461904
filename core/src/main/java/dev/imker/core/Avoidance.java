package dev.imker.core;

import dev.imker.core.profile.NodeProfile;

/** A task failed on this node and should try another one first, but not wait for ever. */
record Avoidance(NodeProfile node, long untilMillis) {
  boolean concerns(NodeProfile candidate, long nowMillis) {
    return node == candidate && nowMillis < untilMillis;
  }
}
