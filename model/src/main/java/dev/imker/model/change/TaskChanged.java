package dev.imker.model.change;

import dev.imker.model.TaskId;
import dev.imker.model.TaskState;

/** A task that is not running changed its state otherwise than by an attempt. */
public record TaskChanged(TaskId task, TaskState state, int failures, int losses, long atMillis)
    implements Change {}
