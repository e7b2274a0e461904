package dev.imker.core.profile;

import dev.imker.model.NodeId;

/** What is known of a node's behaviour. */
public final class NodeProfile {
  private final NodeId node;

  public NodeProfile(NodeId node) {
    this.node = node;
  }

  public NodeId node() {
    return node;
  }
}
