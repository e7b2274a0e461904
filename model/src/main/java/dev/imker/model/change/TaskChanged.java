package dev.imker.model.change;

import dev.imker.model.TaskId;
import dev.imker.model.TaskState;

/**
 * A task that is not running changed its state for a reason other than an attempt.
 *
 * @param reason text for people if it does not follow from the state; otherwise empty
 */
public record TaskChanged(
    TaskId task, TaskState state, int failures, int losses, long atMillis, String reason)
    implements Change {
  public TaskChanged(TaskId task, TaskState state, int failures, int losses, long atMillis) {
    this(task, state, failures, losses, atMillis, "");
  }
}
