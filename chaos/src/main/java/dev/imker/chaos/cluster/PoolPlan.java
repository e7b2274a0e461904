package dev.imker.chaos.cluster;

import java.nio.file.Path;

/**
 * What a pool consists of.
 *
 * @param folder everything of it, and all logs
 * @param leaseSeconds silence of an agent after which its tasks go to others; 0 for what is usual
 * @param sqlite whether one server keeps everything in its folder
 * @param realDisk whether all folders are on the disk of this machine
 * @param drop folder whose files become jobs
 */
public record PoolPlan(
    Path folder,
    int servers,
    int agents,
    int slots,
    int leaseSeconds,
    boolean namespaces,
    boolean sqlite,
    boolean realDisk,
    Path drop) {}
