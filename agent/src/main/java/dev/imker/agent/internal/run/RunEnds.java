package dev.imker.agent.internal.run;

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
  private final Consumer<Runnable> runner;
  private final Consumer<TaskRun> onOver;

  /**
   * @param runner has something done by the runner's thread
   * @param onOver told when nothing is left to be done for a run
   */
  RunEnds(
      Reporting reporting,
      Delivery delivery,
      WorkArea area,
      Tails tails,
      Consumer<Runnable> runner,
      Consumer<TaskRun> onOver) {
    this.reporting = reporting;
    this.delivery = delivery;
    this.area = area;
    this.reports = new ReportQueue(delivery);
    this.tails = tails;
    this.runner = runner;
    this.onOver = onOver;
  }

  /** Reports that wait to leave. */
  ReportQueue reports() {
    return reports;
  }

  /** A command ended. */
  void exited(TaskRun run, TaskRun.Exit exit) {
    tails.send(run);
    tails.end(run);
    try {
      Reporting.OutputSize output = Reporting.OutputSize.of(run);
      if (Reporting.needsUpload(run, exit, output)) {
        Thread.ofVirtual().name("imker-report").start(() -> upload(run, exit));
      } else {
        over(run, Reporting.quick(run, exit, output));
      }
    } catch (IOException e) {
      giveBack(run, "The node lost the task's output: " + e.getMessage());
    }
  }

  private void upload(TaskRun run, TaskRun.Exit exit) {
    Finished report;
    try {
      report = reporting.full(run, exit);
    } catch (IOException e) {
      report =
          Reporting.withoutRun(
              run.held, Outcome.GIVEN_BACK, 0, "Results could not be read: " + e.getMessage());
    } catch (InterruptedException e) {
      return;
    }
    Finished done = report;
    runner.accept(() -> over(run, done));
  }

  /** It was to end before it began. */
  void unbegun(TaskRun run) {
    TaskRun.Ending ending = Objects.requireNonNull(run.ending);
    Outcome outcome =
        ending.cause() == TaskRun.Cause.GIVEN_BACK ? Outcome.GIVEN_BACK : Outcome.STOPPED;
    over(run, Reporting.withoutRun(run.held, outcome, 0, ending.reason()));
  }

  /** It could not begin. */
  void failed(TaskRun run, int exitCode, RuntimeException why) {
    over(
        run,
        Reporting.withoutRun(run.held, Outcome.FAILED, exitCode, String.valueOf(why.getMessage())));
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
    onOver.accept(run);
    tails.end(run);
    TaskRun.Ending ending = run.ending;
    if (ending != null && ending.cause() == TaskRun.Cause.FORGOTTEN) {
      delivery.confirmed(run.held.token());
    } else {
      reports.add(run.held, report);
    }
    if (run.folder != null) {
      try {
        area.giveBack(run.folder);
      } catch (IOException e) {
        LOG.warn("The folder of task {} could not be removed", run.held.lease().task(), e);
      }
    }
  }
}
