package dev.imker.core.message;

import dev.imker.model.AgentId;
import dev.imker.model.NodeId;

/**
 * An agent as the scheduler sees it. {@code held} leases may be more than its slots: those that it
 * has {@code inAdvance} do not run yet. {@code pause} says why its owner has them frozen, and is
 * empty while they run; {@code trust} is the level it has proved; {@code terms} are those an admin
 * set for its node, which {@code slots} and {@code offer} take into account.
 */
public record AgentView(
    AgentId agent,
    NodeId node,
    String name,
    int slots,
    int held,
    int inAdvance,
    boolean connected,
    boolean draining,
    String pause,
    int trust,
    NodeTerms terms,
    AgentOffer offer) {
  /** Leases whose tasks run. */
  public int running() {
    return held - inAdvance;
  }
}
