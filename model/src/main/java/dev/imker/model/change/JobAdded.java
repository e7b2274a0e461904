package dev.imker.model.change;

import dev.imker.model.JobId;
import dev.imker.model.job.JobSpec;

/**
 * A job was accepted; its tasks are all in their initial state (READY, or WAITING).
 *
 * @param session of the program that submitted it, or empty
 */
public record JobAdded(
    JobId job,
    String user,
    JobSpec spec,
    int taskCount,
    long submittedMillis,
    String requestKey,
    String session)
    implements Change {
  public JobAdded(
      JobId job,
      String user,
      JobSpec spec,
      int taskCount,
      long submittedMillis,
      String requestKey) {
    this(job, user, spec, taskCount, submittedMillis, requestKey, "");
  }
}
