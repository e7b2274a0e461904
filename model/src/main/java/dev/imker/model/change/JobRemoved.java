package dev.imker.model.change;

import dev.imker.model.JobId;

/**
 * A settled job was removed with all data of its tasks; its number is never reused.
 *
 * @param tasksLater the number of its tasks, if their data is deleted step by step with {@link
 *     RemovedTasksDeleted}; 0 if everything is deleted at once
 */
public record JobRemoved(JobId job, int tasksLater) implements RecordChange {
  public JobRemoved(JobId job) {
    this(job, 0);
  }
}
