package dev.imker.server.loop;

import dev.imker.model.JobId;
import dev.imker.model.JobSpec;
import dev.imker.model.StageIndex;

/**
 * What the server remembers of a job in the scheduler's memory.
 *
 * @param edition grows whenever limits of the job are changed
 */
public record LiveJob(
    JobId id, String user, JobSpec spec, String requestKey, StageIndex stages, int edition) {
  public LiveJob(JobId id, String user, JobSpec spec, String requestKey) {
    this(id, user, spec, requestKey, StageIndex.of(spec), 0);
  }

  /** The job with changed limits. */
  LiveJob changed(JobSpec next) {
    return new LiveJob(id, user, next, requestKey, StageIndex.of(next), edition + 1);
  }
}
