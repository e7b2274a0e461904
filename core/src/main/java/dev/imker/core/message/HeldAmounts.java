package dev.imker.core.message;

import dev.imker.model.Granted;
import dev.imker.model.TaskId;

/** What an attempt at a task has, and when it should end by what is known of run times. */
public record HeldAmounts(TaskId task, Granted granted, long expectedEndMillis) {}
