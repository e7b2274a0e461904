package dev.imker.bench;

import dev.imker.cli.api.ApiClient;
import dev.imker.model.JobKind;
import dev.imker.model.JobSpec;
import dev.imker.model.Requirements;
import dev.imker.model.SweepAxis;
import java.util.List;
import java.util.Map;

/** Jobs of tasks that do nothing. */
final class NoopJobs {
  private NoopJobs() {}

  static JobSpec spec(String project, int count) {
    return new JobSpec(
        JobSpec.CURRENT_VERSION,
        "noop",
        project,
        JobKind.NOOP,
        List.of(),
        List.of(SweepAxis.range("n", 1, count, 1, 0)),
        Map.of(),
        List.of(),
        List.of(),
        Requirements.ANY,
        JobSpec.DEFAULT_PRIORITY,
        JobSpec.DEFAULT_MAX_FAILURES,
        JobSpec.DEFAULT_MAX_RUNTIME_MILLIS,
        false);
  }

  /** Submits; the id of the job. */
  static long submit(ApiClient api, String project, int count) {
    return api.post("/api/v1/jobs", spec(project, count)).path("id").asLong();
  }
}
