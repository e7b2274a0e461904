package dev.imker.model.change;

import dev.imker.model.Availability;
import dev.imker.model.NodeId;

/** A node appeared or left; kept as history. */
public record NodeAvailable(NodeId node, Availability what, long atMillis) implements Change {}
