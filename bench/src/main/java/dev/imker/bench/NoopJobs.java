package dev.imker.bench;

import dev.imker.cli.api.ApiClient;
import dev.imker.model.JobKind;
import dev.imker.model.JobSpec;
import dev.imker.model.Stage;
import dev.imker.model.SweepAxis;
import java.util.List;

/** Jobs of tasks that do nothing. */
final class NoopJobs {
  private NoopJobs() {}

  static JobSpec spec(String project, int count) {
    return JobSpec.of(
        "noop",
        project,
        JobKind.NOOP,
        Stage.of(List.of(), List.of(SweepAxis.range("n", 1, count, 1, 0))));
  }

  /** Submits; the id of the job. */
  static long submit(ApiClient api, String project, int count) {
    return api.post("/api/v1/jobs", spec(project, count)).path("id").asLong();
  }
}
