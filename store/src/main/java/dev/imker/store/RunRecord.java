package dev.imker.store;

import dev.imker.model.Granted;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;

/** The attempt that settled a task: where it ran, for how long, and what it was given. */
public record RunRecord(
    TaskId task, TaskState state, NodeId node, long runMillis, Granted granted) {}
