package dev.imker.wire;

/**
 * Figures of a session since it began.
 *
 * @param heldOutBytes kept for a resume or waiting to be sent
 * @param heldInBytes received and not processed yet
 * @param roundTripNanos of the last ping, 0 before the first
 */
public record SessionStats(
    long messagesSent,
    long messagesReceived,
    long heldOutBytes,
    long heldInBytes,
    int pendingRequests,
    long roundTripNanos) {}
