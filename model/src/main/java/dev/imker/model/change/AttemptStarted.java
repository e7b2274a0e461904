package dev.imker.model.change;

import dev.imker.model.AgentId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;

/** A lease was given: the task is RUNNING. */
public record AttemptStarted(
    TaskId task, LeaseToken token, AgentId agent, NodeId node, int attempt, long atMillis)
    implements Change {}
