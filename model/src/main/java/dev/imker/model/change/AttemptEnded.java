package dev.imker.model.change;

import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;

/**
 * An attempt ended and moved its task to {@code state} (RUNNING if another copy goes on). {@code
 * failures} and {@code losses} are the task's counts after it.
 */
public record AttemptEnded(
    TaskId task,
    LeaseToken token,
    AttemptReport report,
    TaskState state,
    int failures,
    int losses,
    long atMillis)
    implements Change {}
