package dev.imker.model;

import java.util.List;
import java.util.Map;

/** Job specifications for tests. */
final class Specs {
  private Specs() {}

  static JobSpec of(List<String> command, List<SweepAxis> sweep) {
    return of(command, sweep, Map.of(), List.of());
  }

  static JobSpec of(
      List<String> command, List<SweepAxis> sweep, Map<String, String> env, List<String> outputs) {
    return JobSpec.of(
        "test",
        "default",
        JobKind.COMMAND,
        Stage.of(command, sweep)
            .withEnv(env)
            .withFiles(List.of(), outputs)
            .withRules(TaskRules.USUAL.withRedundant(true)));
  }
}
