package dev.imker.store;

import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;

/** The attempt that settled a task: where it ran, and for how long. */
public record RunRecord(TaskId task, TaskState state, NodeId node, long runMillis) {}
