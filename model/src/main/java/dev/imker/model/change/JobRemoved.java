package dev.imker.model.change;

import dev.imker.model.JobId;

/**
 * A settled job is gone, with all that is known of its tasks; its number is never used again.
 *
 * @param tasksLater how many tasks it has, if what is known of them is deleted bit by bit with
 *     {@link RemovedTasksDeleted}; 0 if all of it goes at once
 */
public record JobRemoved(JobId job, int tasksLater) implements RecordChange {
  public JobRemoved(JobId job) {
    this(job, 0);
  }
}
