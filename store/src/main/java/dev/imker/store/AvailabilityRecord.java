package dev.imker.store;

import dev.imker.model.Availability;
import dev.imker.model.NodeId;

/** A node came or went. */
public record AvailabilityRecord(NodeId node, Availability what, long atMillis) {}
