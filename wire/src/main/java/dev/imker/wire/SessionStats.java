package dev.imker.wire;

/**
 * Statistics of a session since its start.
 *
 * @param heldOutBytes kept for resumption or waiting to be sent
 * @param heldInBytes received but not yet processed
 * @param roundTripNanos of the last ping, 0 before the first
 */
public record SessionStats(
    long messagesSent,
    long messagesReceived,
    long heldOutBytes,
    long heldInBytes,
    int pendingRequests,
    long roundTripNanos) {}
