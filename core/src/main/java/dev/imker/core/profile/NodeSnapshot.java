package dev.imker.core.profile;

import dev.imker.model.NodeId;

/**
 * The part of a node's profile that is kept over restarts; lists of minutes are oldest first.
 *
 * @param faults how many of the failures were the fault of the node
 * @param confirmed results in a row that others came to as well
 * @param upSinceMillis 0 if the node was not up
 * @param incarnation of the agent that brought it up: if it comes back, the up-time goes on
 */
public record NodeSnapshot(
    NodeId node,
    double benchmarkMillis,
    double reputation,
    double[] succeededMinutes,
    double[] failedMinutes,
    double[] uptimesMinutes,
    int successes,
    int failures,
    int faults,
    int confirmed,
    long upSinceMillis,
    long incarnation) {}
