package dev.imker.server.loop;

import dev.imker.model.JobId;
import dev.imker.model.JobSpec;
import dev.imker.model.StageIndex;

/** What the server remembers of a job in the scheduler's memory. */
public record LiveJob(JobId id, String user, JobSpec spec, String requestKey, StageIndex stages) {
  public LiveJob(JobId id, String user, JobSpec spec, String requestKey) {
    this(id, user, spec, requestKey, StageIndex.of(spec));
  }
}
