package dev.imker.store;

import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * A task that has left its initial state.
 *
 * @param attempts number of the last attempt that started
 * @param changedMillis when the task came into its state
 * @param reason in words, where neither the state nor an attempt tells; or empty
 * @param last the attempt that runs or that settled the task; null if there is none (the task waits
 *     for its next attempt, or was settled without one)
 */
public record TaskRecord(
    TaskId id,
    TaskState state,
    int failures,
    int losses,
    int attempts,
    long changedMillis,
    String reason,
    @Nullable AttemptRecord last) {}
