package dev.imker.server.gateway;

import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import dev.imker.wire.proto.Spawn;
import java.util.List;
import java.util.Map;

/** The job that tasks spawned by a task make up: like that of the task, as far as it can be. */
final class SpawnedJob {
  private static final int MAX_TASKS = 10_000;
  private static final int MAX_PAYLOAD_CHARS = 16 << 20;
  private static final int HIGHEST_PRIORITY = 9;
  private static final int LONGEST_NAME = 80;
  private static final String SUFFIX = "-sub";

  /** The calls of the task itself, where they are a file. */
  private static final String CALLS_INPUT = "calls";

  private SpawnedJob() {}

  /**
   * @param index of the task that spawns
   * @throws ImkerException if it is too much
   */
  static JobSpec of(JobSpec parent, int index, Spawn message) {
    if (parent.kind() != JobKind.JAVA) {
      throw new ImkerException("Only Java tasks can spawn others.");
    }
    if (message.getCount() < 1
        || message.getCount() > MAX_TASKS
        || message.getPayload().length() > MAX_PAYLOAD_CHARS) {
      throw new ImkerException(
          "A spawned call captures too much data to be sent; put the data on the"
              + " blackboard, or into a value of the job.");
    }
    Stage stage = parent.stageOf(index);
    List<InputFile> library =
        stage.inputs().stream().filter(file -> !file.path().equals(CALLS_INPUT)).toList();
    Stage spawned =
        new Stage(
            "",
            List.of(),
            message.getPayload(),
            List.of(SweepAxis.range("n", 1, message.getCount(), 1, 0)),
            Map.copyOf(stage.env()),
            library,
            List.of(),
            List.of(),
            stage.needs(),
            rules(stage.rules()),
            List.of());
    String name = parent.name().endsWith(SUFFIX) ? parent.name() : parent.name() + SUFFIX;
    return new JobSpec(
        JobSpec.CURRENT_VERSION,
        name.length() > LONGEST_NAME ? parent.name() : name,
        parent.project(),
        JobKind.JAVA,
        // Those who wait hold memory, so what they wait for goes first.
        Math.min(HIGHEST_PRIORITY, parent.priority() + 1),
        List.of(spawned),
        OnFailure.CARRY_ON,
        Notices.NOBODY);
  }

  private static TaskRules rules(TaskRules parent) {
    return new TaskRules(
        TaskRules.DEFAULT_MAX_FAILURES,
        parent.maxRuntimeMillis(),
        0,
        false,
        1,
        parent.pin(),
        parent.trust(),
        parent.network(),
        List.of(),
        0,
        "",
        "",
        false,
        0,
        0);
  }
}
