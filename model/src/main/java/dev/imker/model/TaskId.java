package dev.imker.model;

/**
 * Identity of a task: its job and its zero-based position in it. Users see and type positions from
 * one on: {@code 12.1} is the first task of job 12.
 */
public record TaskId(JobId job, int index) implements Comparable<TaskId> {
  public TaskId {
    if (index < 0) {
      throw new IllegalArgumentException("negative task index " + index);
    }
  }

  public static TaskId of(long job, int index) {
    return new TaskId(new JobId(job), index);
  }

  @Override
  public int compareTo(TaskId other) {
    int byJob = job.compareTo(other.job);
    return byJob != 0 ? byJob : Integer.compare(index, other.index);
  }

  @Override
  public String toString() {
    return job + "." + (index + 1L);
  }
}
