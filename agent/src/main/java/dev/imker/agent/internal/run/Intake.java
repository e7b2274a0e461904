package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.SetupFailures;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.model.job.JobKind;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Provides what runs need before they can start: immediately if it is here, otherwise in a
 * background step.
 *
 * @param prepared told of runs that have all they need, on the runner's thread
 */
record Intake(
    JavaRuns java,
    Preparation preparation,
    WorkArea area,
    SideSteps sideSteps,
    RunEnds ends,
    SetupFailures setupFailures,
    Consumer<TaskRun> prepared) {
  void prepare(TaskRun run) {
    if (run.template.kind() == JobKind.JAVA) {
      prepareUnless(
          java.isReady(run),
          run,
          () -> {
            java.prepare(run, area);
            return run;
          });
    } else {
      prepareUnless(
          run.template.inputs().isEmpty() && run.held.inputs().isEmpty(),
          run,
          () -> {
            preparation.prepare(run, area);
            return run;
          });
    }
  }

  private void prepareUnless(boolean isPrepared, TaskRun run, Callable<TaskRun> preparation) {
    if (isPrepared) {
      prepared.accept(run);
    } else {
      sideSteps.begin(
          run,
          "imker-inputs",
          preparation,
          prepared,
          failure -> ends.over(run, setupFailures.report(run, failure)));
    }
  }
}
