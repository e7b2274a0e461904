package dev.imker.model;

import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import java.util.List;
import java.util.Map;

/** Job specifications for tests. */
public final class Specs {
  private Specs() {}

  public static JobSpec of(List<String> command, List<SweepAxis> sweep) {
    return of(command, sweep, Map.of(), List.of());
  }

  public static JobSpec of(
      List<String> command, List<SweepAxis> sweep, Map<String, String> env, List<String> outputs) {
    return JobSpec.of(
        "test",
        "default",
        JobKind.COMMAND,
        Stage.of(command, sweep)
            .withEnv(env)
            .withFiles(List.of(), outputs)
            .withRules(TaskRules.USUAL.withSpeculative(true)));
  }
}
