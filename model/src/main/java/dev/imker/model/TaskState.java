package dev.imker.model;

/** Where a task is in its life; see {@link TaskLifeCycle} for what leads from one to the other. */
public enum TaskState {
  /** Predecessors are not done or input files are missing. */
  WAITING,
  READY,
  RUNNING,
  DONE,
  /** Failed for good: another attempt cannot help. */
  FAILED,
  /** Held back by the user. */
  BLOCKED,
  /** Held back by the scheduler because it failed too often. */
  AUTO_BLOCKED,
  CANCELLED;

  /** Whether the scheduler is done with the task unless somebody requests more. */
  public boolean isSettled() {
    return switch (this) {
      case DONE, FAILED, AUTO_BLOCKED, CANCELLED -> true;
      case WAITING, READY, RUNNING, BLOCKED -> false;
    };
  }
}
