package dev.imker.model.change;

import dev.imker.model.JobId;
import dev.imker.model.TaskState;

/**
 * {@link TaskChanged} for a range of adjacent tasks that all got the same state and counts: a
 * million cancelled tasks are one change.
 */
public record TasksChanged(
    JobId job,
    int fromIndex,
    int toIndexExclusive,
    TaskState state,
    int failures,
    int losses,
    long atMillis,
    String reason)
    implements Change {
  public TasksChanged(
      JobId job,
      int fromIndex,
      int toIndexExclusive,
      TaskState state,
      int failures,
      int losses,
      long atMillis) {
    this(job, fromIndex, toIndexExclusive, state, failures, losses, atMillis, "");
  }
}
