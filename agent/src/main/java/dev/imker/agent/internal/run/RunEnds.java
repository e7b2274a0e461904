package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.Reporting;
import dev.imker.agent.internal.lease.SetupFailures;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.report.Delivery;
import dev.imker.agent.internal.report.ReportQueue;
import dev.imker.agent.internal.report.Tails;
import dev.imker.agent.internal.work.TaskFolder;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last steps of a run: its report is made and goes out, its folder goes. Owned by the runner's
 * thread; only uploads happen on others.
 */
final class RunEnds {
  private static final Logger LOG = LoggerFactory.getLogger(RunEnds.class);

  private final Reporting reporting;
  private final Delivery delivery;
  private final WorkArea area;
  private final ReportQueue reports;
  private final Tails tails;
  private final SideSteps sideSteps;
  private final Consumer<TaskRun> onOver;

  /**
   * @param onOver told when nothing is left to be done for a run
   */
  RunEnds(
      Reporting reporting,
      Delivery delivery,
      WorkArea area,
      Tails tails,
      SideSteps sideSteps,
      Consumer<TaskRun> onOver) {
    this.reporting = reporting;
    this.delivery = delivery;
    this.area = area;
    this.reports = new ReportQueue(delivery);
    this.tails = tails;
    this.sideSteps = sideSteps;
    this.onOver = onOver;
  }

  /** Reports that wait to leave. */
  ReportQueue reports() {
    return reports;
  }

  void exited(TaskRun run, TaskRun.Exit exit) {
    tails.send(run);
    tails.end(run);
    try {
      Reporting.OutputSize output = Reporting.OutputSize.of(run);
      if (Reporting.needsUpload(run, exit, output)) {
        sideSteps.begin(
            run,
            "imker-report",
            () -> reporting.full(run, exit),
            report -> over(run, report),
            failure -> over(run, Reporting.withoutResults(run, exit, failure)));
      } else {
        over(run, Reporting.quick(run, exit, output));
      }
    } catch (IOException | RuntimeException e) {
      over(run, Reporting.withoutResults(run, exit, e));
    }
  }

  /** It was to end before it began. */
  void unbegun(TaskRun run) {
    TaskRun.Ending ending = Objects.requireNonNull(run.ending);
    Outcome outcome =
        ending.cause() == TaskRun.Cause.GIVEN_BACK ? Outcome.GIVEN_BACK : Outcome.STOPPED;
    over(run, Reporting.withoutRun(run.held, outcome, 0, ending.reason()));
  }

  /** It is to end at once, in whatever state it is. */
  void cutShort(TaskRun run) {
    TaskRun.Ending ending = Objects.requireNonNull(run.ending);
    over(
        run,
        Reporting.withoutRun(run.held, Reporting.outcome(ending.cause()), 0, ending.reason())
            .toBuilder()
            .setStartedMillis(run.startedMillis)
            .build());
  }

  /** It could not begin, or to deal with it failed. */
  void failed(TaskRun run, int exitCode, Throwable why) {
    over(run, Reporting.withoutRun(run.held, Outcome.FAILED, exitCode, SetupFailures.inWords(why)));
  }

  void giveBack(TaskRun run, String reason) {
    over(run, Reporting.withoutRun(run.held, Outcome.GIVEN_BACK, 0, reason));
  }

  /** The lease's work is done: its report goes out, its folder goes. */
  void over(TaskRun run, Finished report) {
    if (run.isOver()) {
      return;
    }
    run.phase = TaskRun.Phase.OVER;
    TaskRun.Ending ending = run.ending;
    if (ending != null && ending.cause() == TaskRun.Cause.FORGOTTEN) {
      delivery.confirmed(run.held.lease());
    } else {
      reports.add(run.held, report); // first of all: without it the server would wait for ever
    }
    onOver.accept(run);
    tails.end(run);
    Thread step = run.sideStep;
    if (step != null) {
      step.interrupt();
    }
    releaseFolder(run);
  }

  /** Gives back the folder of a run that is over, unless something still happens in it. */
  void releaseFolder(TaskRun run) {
    TaskFolder folder = run.folder;
    if (folder == null || run.sideStep != null || (run.process != null && !run.exited)) {
      return;
    }
    run.folder = null;
    try {
      area.giveBack(folder);
    } catch (IOException | RuntimeException e) {
      LOG.warn("The folder of task {} could not be removed", run.held.lease().task(), e);
    }
  }
}
