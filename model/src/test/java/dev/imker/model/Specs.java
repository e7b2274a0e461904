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
    return new JobSpec(
        JobSpec.CURRENT_VERSION,
        "test",
        "default",
        JobKind.COMMAND,
        command,
        sweep,
        env,
        List.of(),
        outputs,
        Requirements.ANY,
        JobSpec.DEFAULT_PRIORITY,
        JobSpec.DEFAULT_MAX_FAILURES,
        JobSpec.DEFAULT_MAX_RUNTIME_MILLIS,
        true);
  }
}
