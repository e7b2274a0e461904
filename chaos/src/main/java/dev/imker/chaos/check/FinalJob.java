package dev.imker.chaos.check;

import dev.imker.model.JobId;

/** What the pool says in the end of a job. */
public record FinalJob(JobId id, String name, String status, int tasks) {
  /** With what names of jobs begin that fail, so that what they did is undone. */
  public static final String UNDONE = "undone";

  /** With what names of jobs begin whose tasks may all begin again, once. */
  public static final String RESTARTED = "restarted";

  boolean isUndone() {
    return name.startsWith(UNDONE);
  }

  boolean isRestarted() {
    return name.startsWith(RESTARTED);
  }
}
