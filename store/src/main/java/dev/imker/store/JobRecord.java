package dev.imker.store;

import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.ProjectId;
import dev.imker.model.change.JobChanged;
import dev.imker.model.job.JobKind;
import java.util.List;

/**
 * A job as stored, without its full specification. The counts of a job with live tasks are those of
 * its last {@link JobChanged}: the owner of the live state knows newer ones.
 *
 * @param countsByState indexed by the ordinal of TaskState
 * @param settledMillis {@link JobChanged#OPEN} while the job has live tasks
 * @param requestKey the idempotency key of the submission, or empty
 * @param session of the program that submitted it, or empty
 */
public record JobRecord(
    JobId id,
    ProjectId project,
    String name,
    JobKind kind,
    List<String> command,
    int taskCount,
    int priority,
    int[] countsByState,
    long submittedMillis,
    long settledMillis,
    String requestKey,
    String session,
    String phase) {
  public boolean isSettled() {
    return settledMillis != JobChanged.OPEN;
  }

  public JobStatus status() {
    return JobStatus.of(countsByState);
  }
}
