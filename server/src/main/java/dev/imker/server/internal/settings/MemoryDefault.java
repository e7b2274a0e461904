package dev.imker.server.internal.settings;

import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;

/** How much memory tasks get that say nothing of it, as an admin has set it. */
public record MemoryDefault(boolean auto) {
  private static final String NAME = "tasks.memory";
  private static final String AUTO = "auto";

  public static MemoryDefault of(PoolSettings settings) {
    return new MemoryDefault(settings.get(NAME, "").equals(AUTO));
  }

  /** The job as it would be if its submitter had written the default. */
  public JobSpec fillIn(JobSpec spec) {
    // Nothing is learnt of Java tasks, which share a process.
    return auto && spec.kind() == JobKind.COMMAND
        ? spec.withStages(spec.stages().stream().map(MemoryDefault::fillIn).toList())
        : spec;
  }

  /** Tasks that start together do not grow one by one. */
  private static Stage fillIn(Stage stage) {
    return stage.rules().gang() ? stage : stage.withNeeds(stage.needs().leavingMemoryToPool());
  }
}
