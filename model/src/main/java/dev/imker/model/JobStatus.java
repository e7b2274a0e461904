package dev.imker.model;

import java.util.Set;

/** The state of a job as a whole; follows from the counts of its tasks by state. */
public enum JobStatus {
  /** No task can start yet. */
  WAITING,
  /** Tasks could start, but none has. */
  QUEUED,
  RUNNING,
  /** All unsettled tasks are held back until somebody releases them. */
  BLOCKED,
  DONE,
  /** Settled, and at least one task failed permanently or too often. */
  FAILED,
  CANCELLED;

  /** The statuses of jobs that are not settled. */
  public static final Set<JobStatus> OPEN = Set.of(WAITING, QUEUED, RUNNING, BLOCKED);

  public boolean isSettled() {
    return switch (this) {
      case DONE, FAILED, CANCELLED -> true;
      case WAITING, QUEUED, RUNNING, BLOCKED -> false;
    };
  }

  /** The status of a job with these counts, indexed by the ordinal of {@link TaskState}. */
  public static JobStatus of(int[] countsByState) {
    int settled = 0;
    int open = 0;
    for (TaskState state : TaskState.values()) {
      if (state.isSettled()) {
        settled += countsByState[state.ordinal()];
      } else {
        open += countsByState[state.ordinal()];
      }
    }
    if (open == 0) {
      return ofSettled(countsByState);
    }
    return open == countsByState[TaskState.BLOCKED.ordinal()]
        ? BLOCKED
        : ofOpen(countsByState, settled);
  }

  private static JobStatus ofSettled(int[] counts) {
    if (counts[TaskState.FAILED.ordinal()] + counts[TaskState.AUTO_BLOCKED.ordinal()] > 0) {
      return FAILED;
    }
    return counts[TaskState.CANCELLED.ordinal()] > 0 ? CANCELLED : DONE;
  }

  private static JobStatus ofOpen(int[] counts, int settled) {
    if (settled > 0 || counts[TaskState.RUNNING.ordinal()] > 0) {
      return RUNNING;
    }
    return counts[TaskState.READY.ordinal()] > 0 ? QUEUED : WAITING;
  }
}
