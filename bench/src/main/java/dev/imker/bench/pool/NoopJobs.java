package dev.imker.bench.pool;

import dev.imker.cli.api.ApiClient;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import java.util.List;

/** Jobs of tasks that do nothing. */
public final class NoopJobs {
  private NoopJobs() {}

  public static JobSpec spec(String project, int count) {
    return JobSpec.of(
        "noop",
        project,
        JobKind.NOOP,
        Stage.of(List.of(), List.of(SweepAxis.range("n", 1, count, 1, 0))));
  }

  /** Submits; the id of the job. */
  public static long submit(ApiClient api, String project, int count) {
    return api.post("/api/v1/jobs", spec(project, count)).path("id").asLong();
  }
}
