package dev.imker.store;

import dev.imker.model.AgentId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.change.AttemptReport;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a task.
 *
 * @param number counts the attempts of the task from one on
 * @param startedMillis when the lease was given
 * @param report null while the attempt runs
 */
public record AttemptRecord(
    LeaseToken token,
    int number,
    AgentId agent,
    NodeId node,
    long startedMillis,
    @Nullable AttemptReport report) {}
