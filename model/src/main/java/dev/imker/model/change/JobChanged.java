package dev.imker.model.change;

import dev.imker.model.JobId;

/**
 * Counts of a job's tasks by state (indexed by the ordinal of TaskState), written when a job
 * settles or is reopened.
 */
public record JobChanged(JobId job, int[] countsByState, long settledMillis, int priority)
    implements Change {
  /** {@link #settledMillis} of a job that still has live tasks. */
  public static final long OPEN = -1;
}
