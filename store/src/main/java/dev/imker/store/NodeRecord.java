package dev.imker.store;

import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import java.util.List;

/** A machine that ever had an agent in the pool, with its agents in order of first appearance. */
public record NodeRecord(NodeId id, List<Agent> agents) {
  /** An agent as it last introduced itself. */
  public record Agent(
      AgentId id,
      String name,
      String version,
      Platform platform,
      int slots,
      boolean connected,
      long seenMillis) {}

  public NodeRecord {
    agents = List.copyOf(agents);
  }
}
