package dev.imker.model.change;

import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;

/** An agent introduced itself, or fell silent ({@code connected} false). */
public record NodeSeen(
    NodeId node,
    AgentId agent,
    String agentName,
    String version,
    Platform platform,
    int slots,
    boolean connected,
    long atMillis)
    implements Change {}
