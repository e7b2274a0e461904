package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.LeaseRuns;
import dev.imker.agent.internal.lease.SetupFailures;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.report.Tails;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.TaskTemplate;
import dev.imker.wire.proto.FollowLog;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the commands of leases: those that were granted amounts at once, others so many at a time as
 * there are slots. One thread owns all of it; other threads leave it notes. What waits for the
 * network (inputs, results) happens on virtual threads.
 *
 * <p>When a process ends, the next one is started before the report of the first is made: that work
 * then happens while the new process runs.
 */
public final class TaskRunner implements Runnable, LeaseRuns {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRunner.class);
  private static final long TAIL_TICK_MILLIS = 50;
  private static final long TICK_MILLIS = 250;
  private static final int NOT_FOUND = AttemptReport.NOT_FOUND;

  /** A run that was told to end is over after that time and its grace, whatever holds it up. */
  private static final long MAX_ENDING_MILLIS = 60_000;

  /** How long notes may lie that do not wake the runner. */
  private static final long QUIET_NANOS = 20_000_000;

  private final RunnerParts parts;
  private final Notes notes = new Notes();
  private final ArrayDeque<TaskRun> ready = new ArrayDeque<>();
  private final LinkedHashSet<TaskRun> running = new LinkedHashSet<>();
  private final Set<TaskRun> unfinished = new LinkedHashSet<>();
  private final ArrayDeque<Runnable> afterwards = new ArrayDeque<>();
  private final Tails tails;
  private final RunEnds ends;
  private final SideSteps sideSteps;
  private final Intake intake;
  private final SetupFailures setupFailures;
  private final Commands commands;
  private final Launchpad launchpad;
  private final JavaCalls calls;
  private final WaitingRuns waiting;
  private final SaidProgress progress;
  private final Runnable onTick;
  private volatile boolean ended;
  private volatile boolean spent;
  private long taken;
  private boolean closing;
  private String pause = "";
  private String shrunk = "";
  private Set<TaskRun> beyondShare = Set.of();
  private long nextTickNanos = System.nanoTime();

  public TaskRunner(RunnerParts parts, Runnable onTick) {
    this.parts = parts;
    this.tails = new Tails(parts.uplink());
    this.sideSteps = new SideSteps(this::note, run -> ends().releaseFolder(run));
    this.setupFailures = new SetupFailures(parts.area(), parts.trouble());
    this.ends =
        new RunEnds(
            parts.reporting(),
            parts.delivery(),
            parts.area(),
            tails,
            sideSteps,
            unfinished::remove);
    this.commands =
        new Commands(parts.area(), parts.environment(), parts.enclosure(), parts.priority());
    this.launchpad =
        new Launchpad(parts.processes(), parts.offer(), parts.pinning(), new Launches());
    this.intake =
        new Intake(
            parts.java(),
            parts.preparation(),
            parts.area(),
            sideSteps,
            ends,
            setupFailures,
            this::prepared);
    this.onTick = onTick;
    this.waiting = new WaitingRuns(parts.uplink());
    this.progress = new SaidProgress(parts.uplink());
    this.calls =
        new JavaCalls(
            parts.java(),
            launchpad,
            parts.pinning(),
            waiting,
            ends,
            sideSteps,
            tails,
            running,
            this::note,
            this::freezeAsNeeded);
  }

  private RunEnds ends() {
    return ends;
  }

  @Override
  public void note(Runnable note) {
    notes.add(note);
  }

  /** As above; should it fail, the run is at its end. */
  private void note(TaskRun run, Runnable note) {
    notes.add(() -> guarded(run, note));
  }

  private void guarded(TaskRun run, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A step of task {} failed", run.held.lease().task(), e);
      ends.failed(run, 0, e);
      if (run.process != null && !run.exited) {
        run.process.kill();
      }
    }
  }

  /** Whether it has taken all the tasks that it takes. */
  public boolean isSpent() {
    return spent;
  }

  public int runningCount() {
    return launchpad.occupied();
  }

  public void end() {
    ended = true;
    launchpad.close();
    notes.add(() -> {});
  }

  @Override
  public void run() {
    while (!ended) {
      try {
        notes.work(waitNanos());
      } catch (InterruptedException e) {
        return;
      }
      Notes.guarded(this::startReady);
      while (!afterwards.isEmpty()) {
        Notes.guarded(afterwards.poll());
      }
      boolean alone = closing || (ready.isEmpty() && launchpad.isIdle());
      Notes.guarded(() -> ends.reports().sendIfDue(System.nanoTime(), alone));
      Notes.guarded(this::tickIfDue);
    }
    ends.reports().sendAll();
  }

  private long waitNanos() {
    long nowNanos = System.nanoTime();
    long tickNanos = Math.max(0, nextTickNanos - nowNanos);
    long mostNanos = launchpad.isStocked() ? Math.min(tickNanos, QUIET_NANOS) : tickNanos;
    return ends.reports().waitNanos(nowNanos, mostNanos);
  }

  private void tickIfDue() {
    long nowNanos = System.nanoTime();
    if (nowNanos - nextTickNanos < 0) {
      return;
    }
    long tickMillis = !tails.isEmpty() ? TAIL_TICK_MILLIS : TICK_MILLIS;
    nextTickNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(tickMillis);
    for (TaskRun run : List.copyOf(running)) {
      Notes.guarded(() -> checkLimits(run, nowNanos));
      Notes.guarded(() -> parts.checkpointing().saveIfDue(run, nowNanos));
      Notes.guarded(() -> tails.send(run));
      Notes.guarded(() -> progress.tellIfNew(run, nowNanos));
    }
    endOverdue(nowNanos);
    Notes.guarded(this::share);
    parts.watch().lookAtHosts(parts.java(), nowNanos);
    if (parts.watch().isMemoryExceeded(running, parts.java())
        && !parts.java().hosts().endUnused()) {
      endForMemory();
    }
    waiting.tellIfFewer();
    Notes.guarded(onTick);
  }

  /** Ends what was told to end long ago, so that nobody waits for it any longer. */
  private void endOverdue(long nowNanos) {
    long maxNanos = TimeUnit.MILLISECONDS.toNanos(parts.stopGraceMillis() + MAX_ENDING_MILLIS);
    for (TaskRun run : List.copyOf(unfinished)) {
      if (run.ending != null && nowNanos - run.endingNanos > maxNanos) {
        LOG.error("Task {} does not stop; giving up on it", run.held.lease().task());
        running.remove(run);
        ends.cutShort(run);
      }
    }
  }

  // ------------------------------------------------------------------ notes

  @Override
  public void accept(HeldLease held, TaskTemplate template) {
    TaskRun run = held.begin(template);
    unfinished.add(run);
    if (closing) {
      ends.giveBack(run, "The agent is closing.");
      return;
    }
    if (spent) {
      ends.giveBack(run, "The agent accepts no more tasks before its next start.");
      return;
    }
    taken++;
    spent = parts.offer().isSpent(taken);
    guarded(
        run,
        () -> {
          try {
            parts.enclosure().checkTrust(held, template);
            intake.prepare(run);
          } catch (StartFailedException e) {
            ends.failed(run, 0, e);
          }
        });
  }

  private void prepared(TaskRun run) {
    run.phase = TaskRun.Phase.READY;
    run.readyNanos = System.nanoTime();
    if (!pause.isEmpty()) {
      ends.giveBack(run, "The node is paused: " + pause + ".");
    } else if (run.held.isPlain()) {
      ready.add(run);
    } else {
      ready.addFirst(run); // what it needs is free for it
    }
  }

  /** Freezes what runs and gives back what waits; without a reason lets tasks go on. */
  public void pause(String why) {
    pause = why;
    for (TaskRun run : running) {
      freezeAsNeeded(run);
    }
    if (!why.isEmpty()) {
      giveBackWaiting(_ -> true, "The node is paused: " + why + ".");
    }
  }

  /** Leaves tasks no more cores than are offered now for a reason; all without one. */
  public void shrink(String why) {
    shrunk = why;
    launchpad.resize();
    share();
    if (!why.isEmpty()) {
      giveBackWaiting(_ -> true, "The node has less room: " + why + ".");
    }
  }

  /** The oldest go on, as many as fit; of the others, those that cannot be frozen alone go. */
  private void share() {
    if (shrunk.isEmpty() && beyondShare.isEmpty()) {
      return;
    }
    beyondShare = shrunk.isEmpty() ? Set.of() : CoreShare.beyond(running, parts.offer().cores());
    for (TaskRun run : List.copyOf(running)) {
      if (run.template.kind() != JobKind.JAVA) {
        freezeAsNeeded(run);
      } else if (beyondShare.contains(run) && pause.isEmpty()) {
        stop(run.held, TaskRun.Cause.GIVEN_BACK, "The node has less room: " + shrunk + ".");
      }
    }
  }

  private void freezeAsNeeded(TaskRun run) {
    boolean on = !pause.isEmpty() || beyondShare.contains(run);
    if (run.process != null && run.process.freeze(on)) {
      run.frozen.set(on, System.nanoTime());
    }
  }

  /** One that is alone here, and takes more than there is, would do so again. */
  private void endForMemory() {
    if (running.size() == 1) {
      stop(
          running.iterator().next().held,
          TaskRun.Cause.OVERRUN,
          "Used more memory than the owner of the node lends to all tasks together.");
    } else {
      giveBackYoungest("All tasks together need more memory than the owner of the node lends.");
    }
  }

  /** The one that has done the least so far. */
  public void giveBackYoungest(String reason) {
    if (!running.isEmpty()) {
      TaskRun youngest =
          Collections.max(running, (a, b) -> Long.signum(a.startedNanos - b.startedNanos));
      stop(youngest.held, TaskRun.Cause.GIVEN_BACK, reason);
    }
  }

  public void giveBackFrozen(String reason) {
    for (TaskRun run : List.copyOf(pause.isEmpty() ? beyondShare : running)) {
      stop(run.held, TaskRun.Cause.GIVEN_BACK, reason);
    }
  }

  @Override
  public void stop(HeldLease held, TaskRun.Cause cause, String reason) {
    TaskRun run = held.run;
    if (run == null || run.isOver()) {
      return;
    }
    run.endBecause(cause, reason);
    switch (run.phase) {
      case READY -> {
        ready.remove(run);
        ends.unbegun(run);
      }
      case STAGED -> {
        if (launchpad.withdraw(run)) {
          ends.unbegun(run);
        }
      }
      case RUNNING -> terminate(run, cause);
      case PREPARING -> ends.cutShort(run);
      case REPORTING -> {
        if (cause != TaskRun.Cause.GIVEN_BACK) { // what is done need not be done again
          ends.cutShort(run);
        }
      }
      case OVER -> {}
    }
  }

  private void terminate(TaskRun run, TaskRun.Cause cause) {
    boolean patient = cause == TaskRun.Cause.STOPPED || cause == TaskRun.Cause.OVERTIME;
    if (run.process != null) {
      run.process.terminate(patient ? parts.stopGraceMillis() : 0);
      run.frozen.set(false, System.nanoTime()); // so that it can tidy up
    }
  }

  @Override
  public void follow(HeldLease held, FollowLog order) {
    if (tails.follow(held, order)) {
      nextTickNanos = System.nanoTime();
    }
  }

  /** Kills and gives back all that is not finished. */
  public void closeDown(String reason) {
    closing = true;
    for (TaskRun run : List.copyOf(unfinished)) {
      stop(run.held, TaskRun.Cause.GIVEN_BACK, reason);
    }
  }

  public boolean hasUnfinished() {
    return !unfinished.isEmpty() || !ends.reports().isEmpty();
  }

  // ------------------------------------------------------------------ running

  /** Starts what there is room for; also to be called when there may be more room. */
  public void startReady() {
    launchpad.resize();
    while (!ready.isEmpty() && hasRoomFor(ready.peek())) {
      TaskRun run = ready.poll();
      try {
        start(run);
      } catch (StartFailedException e) {
        ends.failed(run, e.isTemporary() ? 0 : NOT_FOUND, e);
      } catch (IOException | RuntimeException | Error e) {
        LOG.debug("Task {} could not be set up", run.held.lease().task(), e);
        ends.over(run, setupFailures.report(run, e));
      }
    }
  }

  private boolean hasRoomFor(TaskRun run) {
    return !run.held.isPlain()
        || (run.template.kind() == JobKind.JAVA ? launchpad.isIdle() : launchpad.wantsMore());
  }

  private void start(TaskRun run) throws IOException {
    if (run.template.kind() == JobKind.JAVA) {
      if (!calls.start(run)) {
        ready.addFirst(run);
      }
      return;
    }
    ProcessSpec spec = commands.of(run);
    run.phase = TaskRun.Phase.STAGED;
    launchpad.add(run, spec);
  }

  /** A new session was opened. */
  public void tellAgain() {
    waiting.tellAgain();
  }

  /** What becomes of commands; told on other threads. */
  private final class Launches implements Launchpad.Listener {
    @Override
    public void launched(TaskRun run, TaskProcess process) {
      notes.addQuietly(() -> guarded(run, () -> TaskRunner.this.launched(run, process)));
    }

    @Override
    public void notLaunched(TaskRun run, Throwable failure) {
      int exitCode =
          failure instanceof StartFailedException start && !start.isTemporary() ? NOT_FOUND : 0;
      note(run, () -> ends.failed(run, exitCode, failure));
    }

    @Override
    public void exited(TaskRun run, ProcessExit exit) {
      notes.addQuietly(() -> guarded(run, () -> TaskRunner.this.exited(run, exit)));
      if (!launchpad.isStocked()) {
        note(() -> {});
      }
    }
  }

  private void launched(TaskRun run, TaskProcess process) {
    if (run.phase != TaskRun.Phase.STAGED) {
      return; // its end was quicker than the news of its start
    }
    run.phase = TaskRun.Phase.RUNNING;
    run.process = process;
    running.add(run);
    freezeAsNeeded(run);
    share();
    if (run.ending != null) {
      terminate(run, run.ending.cause());
    }
  }

  @Override
  public void giveBackUnbegun(HeldLease held, String reason) {
    giveBackWaiting(run -> run.held == held, reason);
    TaskRun run = held.run;
    if (run != null && run.phase == TaskRun.Phase.READY && ready.remove(run)) {
      ends.giveBack(run, reason);
    }
  }

  private void giveBackWaiting(Predicate<TaskRun> kind, String reason) {
    for (TaskRun run : launchpad.waiting(kind)) {
      if (launchpad.withdraw(run)) {
        ends.giveBack(run, reason);
      }
    }
    while (!ready.isEmpty() && kind.test(ready.peek())) {
      ends.giveBack(ready.poll(), reason);
    }
  }

  private void checkLimits(TaskRun run, long nowNanos) {
    TaskRun.Ending due = run.ending == null ? parts.watch().check(run, nowNanos) : null;
    if (due != null) {
      stop(run.held, due.cause(), due.reason());
    }
  }

  private void exited(TaskRun run, ProcessExit process) {
    TaskRun.Exit exit =
        new TaskRun.Exit(process, System.currentTimeMillis(), run.frozen.millis(System.nanoTime()));
    running.remove(run);
    run.exited = true;
    if (run.isOver()) {
      ends.releaseFolder(run);
      return;
    }
    run.phase = TaskRun.Phase.REPORTING;
    afterwards.add(() -> guarded(run, () -> ends.exited(run, exit)));
  }
}
