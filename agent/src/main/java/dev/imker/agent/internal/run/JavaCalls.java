package dev.imker.agent.internal.run;

import dev.imker.agent.internal.host.JavaTasks;
import dev.imker.agent.internal.lease.SavedValues;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.process.CorePinning;
import dev.imker.agent.internal.process.CorePinning.Place;
import dev.imker.agent.internal.report.Tails;
import java.io.IOException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Java tasks from start to report: they take a slot like processes, but leave it to others while
 * they wait for tasks that they spawned. Belongs to the runner's thread.
 *
 * @param running those that run
 * @param note has something done by the runner's thread
 * @param onStarted what follows a start
 */
record JavaCalls(
    JavaRuns java,
    Launchpad launchpad,
    CorePinning pinning,
    WaitingRuns waiting,
    RunEnds ends,
    SideSteps sideSteps,
    Tails tails,
    Set<TaskRun> running,
    BiConsumer<TaskRun, Runnable> note,
    Consumer<TaskRun> onStarted) {
  /** Starts a task; false if there is no slot for it. */
  boolean start(TaskRun run) throws IOException {
    if (!launchpad.occupy(run)) {
      return false;
    }
    run.startedMillis = System.currentTimeMillis();
    run.startedNanos = System.nanoTime();
    boolean started = false;
    run.place = pinning.take(run.held.granted().of("cores"));
    try {
      run.process =
          java.start(
              run,
              pinning.cores(run.place),
              end -> note.accept(run, () -> ended(run, end)),
              on -> note.accept(run, () -> waits(run, on)));
      started = true;
    } finally {
      if (!started) {
        leaveCores(run);
        launchpad.vacate(run);
      }
    }
    run.phase = TaskRun.Phase.RUNNING;
    running.add(run);
    onStarted.accept(run);
    if (run.tail != null) {
      JavaTasks.follow(run.process, true);
    }
    return true;
  }

  private void leaveCores(TaskRun run) {
    pinning.giveBack(run.place);
    run.place = Place.ANYWHERE;
  }

  private void waits(TaskRun run, boolean on) {
    if (on && run.phase == TaskRun.Phase.RUNNING) {
      if (waiting.begin(run)) {
        launchpad.vacate(run);
      }
    } else if (waiting.end(run)) {
      launchpad.occupyAnyway(run);
    }
  }

  private void ended(TaskRun run, JavaRuns.End end) {
    leaveCores(run);
    if (!waiting.end(run)) {
      launchpad.vacate(run);
    }
    running.remove(run);
    run.exited = true;
    if (run.isOver()) {
      ends.releaseFolder(run);
      return;
    }
    tails.send(run);
    run.phase = TaskRun.Phase.REPORTING;
    if (run.ending != null || !java.needsUpload(run, end)) {
      report(run, end);
    } else {
      sideSteps.begin(
          run,
          "imker-report",
          () -> java.upload(run, end),
          uploaded -> report(run, uploaded),
          failure -> report(run, JavaRuns.lostEnd(failure)));
    }
  }

  /** What the task kept is to be there when the server hears of its end. */
  private void report(TaskRun run, JavaRuns.End end) {
    SavedValues.afterwards(
        run, () -> note.accept(run, () -> ends.over(run, java.report(run, end))));
  }
}
