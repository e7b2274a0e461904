package dev.imker.core.message;

import dev.imker.model.AgentId;
import dev.imker.model.NodeId;

/**
 * An agent as the scheduler sees it. {@code held} leases may be more than its slots (prefetch);
 * {@code pause} says why its owner has them frozen, and is empty while they run; {@code trust} is
 * the level it has proved; {@code terms} are those an admin set for its node, which {@code slots}
 * and {@code offer} take into account.
 */
public record AgentView(
    AgentId agent,
    NodeId node,
    String name,
    int slots,
    int held,
    boolean connected,
    boolean draining,
    String pause,
    int trust,
    NodeTerms terms,
    AgentOffer offer) {}
