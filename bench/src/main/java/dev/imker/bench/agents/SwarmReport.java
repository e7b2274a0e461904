package dev.imker.bench.agents;

/**
 * Figures of a swarm since the last reset.
 *
 * @param here agents connected and welcomed at the moment
 * @param attempts connections begun
 * @param opened sessions opened
 */
record SwarmReport(
    int here,
    long attempts,
    long peakAttemptsPerSecond,
    long opened,
    long peakOpenedPerSecond,
    long signs,
    long unanswered,
    long replyMicrosP50,
    long replyMicrosP99,
    long replyMicrosMax,
    long confirmed) {}
