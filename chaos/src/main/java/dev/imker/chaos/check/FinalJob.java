package dev.imker.chaos.check;

import dev.imker.model.JobId;
import dev.imker.model.Lease;
import java.util.Optional;

/**
 * What the pool says in the end of a job.
 *
 * @param parent the lease of the task that spawned it; empty for all other jobs
 */
public record FinalJob(JobId id, String name, String status, int tasks, Optional<Lease> parent) {
  public FinalJob(JobId id, String name, String status, int tasks) {
    this(id, name, status, tasks, Optional.empty());
  }

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
