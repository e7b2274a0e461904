package dev.imker.chaos.simulated;

import dev.imker.model.job.After;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import java.util.List;

/** The jobs that simulated clients submit. The first word of a command says how its tasks run. */
final class JobShapes {
  static final String ALWAYS_FAILS = "fail";
  static final String FAILS_AT_FIRST = "flaky";
  static final String FAILS_AT_THE_END = "last";
  static final String SPAWNS = "spawn";
  static final String SAVES = "save";
  private static final String WORKS = "work";
  private static final TaskRules RULES = TaskRules.USUAL.with(rules -> rules.speculative = false);

  private JobShapes() {}

  static JobSpec of(Plan.Want want, int size) {
    return switch (want) {
      case ONE -> job(stage("", WORKS, 1, RULES));
      case FAILING -> job(stage("", FAILS_AT_FIRST, size, RULES.withBackoff(500)));
      case COPIES -> job(stage("", WORKS, size, RULES.withSpeculative(true)));
      case QUORUM -> job(stage("", WORKS, size, RULES.withQuorum(2)));
      case GANG -> job(stage("", WORKS, 1 + size % 2, RULES.with(rules -> rules.gang = true)));
      case GRAPH ->
          job(
              stage("a", WORKS, size, RULES),
              stage("b", FAILS_AT_FIRST, size, RULES)
                  .withAfter(List.of(After.stage("a", After.Matching.EACH))),
              stage("c", WORKS, 1, RULES).withAfter(List.of(After.stage("b", After.Matching.ALL))));
      case RESTART -> onFailure(OnFailure.Way.RESTART, 2, lastFails(size));
      case ROLLBACK -> onFailure(OnFailure.Way.ROLLBACK, 0, lastFails(size));
      case ABORT -> onFailure(OnFailure.Way.ABORT, 0, lastFails(size));
      case SPAWN ->
          JobSpec.of(
              "job", "project", JobKind.JAVA, List.of(stage("", SPAWNS, 1 + size % 2, RULES)));
      case CHECKPOINT ->
          job(
              stage(
                  "",
                  SAVES,
                  size,
                  RULES.with(
                      rules -> {
                        rules.checkpoints = List.of("*.chk");
                        rules.checkpointMillis = 1_000;
                      })));
      default -> job(stage("", WORKS, 2 * size, RULES));
    };
  }

  private static JobSpec lastFails(int size) {
    return job(
        stage("a", WORKS, size, RULES.withLimits(2, 0)),
        stage("b", ALWAYS_FAILS, 1, RULES.withLimits(1, 0))
            .withAfter(List.of(After.stage("a", After.Matching.ALL))));
  }

  private static JobSpec onFailure(OnFailure.Way way, int limit, JobSpec job) {
    return new JobSpec(
        job.version(),
        job.name(),
        job.project(),
        job.kind(),
        job.priority(),
        job.stages(),
        new OnFailure(way, limit),
        Notices.NOBODY);
  }

  private static JobSpec job(Stage... stages) {
    return JobSpec.of("job", "project", JobKind.COMMAND, List.of(stages));
  }

  private static Stage stage(String name, String how, int tasks, TaskRules rules) {
    return Stage.of(List.of(how), List.of(SweepAxis.range("n", 1, tasks, 1, 0)))
        .withName(name)
        .withRules(rules);
  }
}
