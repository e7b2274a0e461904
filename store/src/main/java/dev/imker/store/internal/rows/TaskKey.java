package dev.imker.store.internal.rows;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;

/** A task's identity as one integer: adjacent tasks of a job are adjacent in the database. */
public final class TaskKey {
  private static final int INDEX_BITS = 24;
  private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;
  private static final long MAX_JOB = Long.MAX_VALUE >> INDEX_BITS;

  private TaskKey() {}

  public static long of(TaskId task) {
    if (task.index() > INDEX_MASK) {
      throw new IllegalArgumentException("task index beyond the limit: " + task);
    }
    return first(task.job()) | task.index();
  }

  public static long first(JobId job) {
    if (job.value() < 0 || job.value() > MAX_JOB) {
      throw new IllegalArgumentException("job id beyond the limit: " + job);
    }
    return job.value() << INDEX_BITS;
  }

  public static long last(JobId job) {
    return first(job) | INDEX_MASK;
  }

  public static int index(long key) {
    return (int) (key & INDEX_MASK);
  }

  public static TaskId task(long key) {
    return TaskId.of(key >> INDEX_BITS, index(key));
  }
}
