package dev.imker.core;

import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import java.util.List;

/**
 * An agent introduces itself.
 *
 * @param incarnation start of the agent's process; a new one knows nothing of the old one's work
 * @param held leases it has: queued, running, or finished and not yet confirmed
 */
public record AgentHello(
    AgentId agent,
    NodeId node,
    String name,
    String version,
    Platform platform,
    int slots,
    long incarnation,
    List<Lease> held) {
  public AgentHello {
    held = List.copyOf(held);
    if (slots < 0) {
      throw new IllegalArgumentException("agent " + agent + " with " + slots + " slots");
    }
  }
}
