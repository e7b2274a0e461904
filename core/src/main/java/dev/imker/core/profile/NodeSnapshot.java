package dev.imker.core.profile;

import dev.imker.model.NodeId;

/** What of a node's profile is kept over restarts; lists of minutes are oldest first. */
public record NodeSnapshot(
    NodeId node,
    double benchmarkMillis,
    double reputation,
    double[] succeededMinutes,
    double[] failedMinutes,
    double[] uptimesMinutes,
    int successes,
    int failures) {}
