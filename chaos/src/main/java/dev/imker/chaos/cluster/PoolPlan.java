package dev.imker.chaos.cluster;

import java.nio.file.Path;

/**
 * What a pool consists of.
 *
 * @param folder everything of it, and all logs
 * @param leaseSeconds silence of an agent after which its tasks go to others
 */
public record PoolPlan(
    Path folder, int servers, int agents, int slots, int leaseSeconds, boolean namespaces) {}
