package dev.imker.agent.internal.run;

import dev.imker.agent.internal.host.JavaTasks;
import dev.imker.agent.internal.process.ProcessExecutor;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.process.StartFailedException;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.model.ImkerException;
import dev.imker.model.JobKind;
import dev.imker.model.TaskTemplate;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.Outcome;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands of leases, so many at once as there are slots. One thread owns all of it; other
 * threads leave it notes. What waits for the network (inputs, results) happens on virtual threads.
 *
 * <p>When a process ends, the next one is started before the report of the first is made: that work
 * then happens while the new process runs.
 */
final class TaskRunner implements Runnable {
  private static final long TAIL_TICK_MILLIS = 50;
  private static final long TICK_MILLIS = 250;
  private static final int NOT_FOUND = 127;

  /** How long notes may lie that do not wake the runner. */
  private static final long QUIET_NANOS = 20_000_000;

  /**
   * What a runner works with.
   *
   * @param longestQueueNanos a lease that waits so long for a slot is better off elsewhere
   */
  record Parts(
      WorkArea area,
      Preparation preparation,
      Reporting reporting,
      Delivery delivery,
      ProcessExecutor processes,
      TaskEnvironment environment,
      JavaRuns java,
      Uplink uplink,
      ProcessPriority priority,
      long stopGraceMillis,
      long longestQueueNanos,
      int slots,
      Enclosure enclosure,
      RunWatch watch,
      Checkpointing checkpointing,
      Trouble trouble) {}

  private final Parts parts;
  private final Notes notes = new Notes();
  private final ArrayDeque<TaskRun> ready = new ArrayDeque<>();
  private final LinkedHashSet<TaskRun> running = new LinkedHashSet<>();
  private final Set<TaskRun> unfinished = new LinkedHashSet<>();
  private final ArrayDeque<Runnable> afterwards = new ArrayDeque<>();
  private final Tails tails;
  private final RunEnds ends;
  private final Commands commands;
  private final Launchpad launchpad;
  private final WaitingRuns waiting;
  private final Runnable onTick;
  private volatile boolean ended;
  private boolean closing;
  private String pause = "";
  private long nextTickNanos = System.nanoTime();

  TaskRunner(Parts parts, Runnable onTick) {
    this.parts = parts;
    this.tails = new Tails(parts.uplink);
    this.ends =
        new RunEnds(
            parts.reporting, parts.delivery, parts.area, tails, this::note, unfinished::remove);
    this.commands = new Commands(parts.area, parts.environment, parts.enclosure, parts.priority);
    this.launchpad = new Launchpad(parts.processes, parts.slots, new Launches());
    this.onTick = onTick;
    this.waiting = new WaitingRuns(parts.uplink);
  }

  /** Has something done by the runner's thread. */
  void note(Runnable note) {
    notes.add(note);
  }

  int runningCount() {
    return launchpad.occupied();
  }

  void end() {
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
      startReady();
      while (!afterwards.isEmpty()) {
        Notes.guarded(afterwards.poll());
      }
      boolean alone = closing || (ready.isEmpty() && launchpad.isIdle());
      ends.reports().sendIfDue(System.nanoTime(), alone);
      tickIfDue();
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
    for (TaskRun run : running) {
      checkLimits(run, nowNanos);
      parts.checkpointing.saveIfDue(run, nowNanos);
      tails.send(run);
    }
    if (parts.watch.isMemoryExceeded(running)) {
      giveBackYoungest("All tasks together need more memory than the owner of the node lends.");
    }
    returnStranded(nowNanos);
    waiting.tellIfFewer();
    Notes.guarded(onTick);
  }

  // ------------------------------------------------------------------ notes

  void accept(HeldLease held, TaskTemplate template) {
    TaskRun run = held.begin(template);
    unfinished.add(run);
    if (closing) {
      ends.giveBack(run, "The agent is closing.");
      return;
    }
    try {
      parts.enclosure.checkTrust(held, template);
      prepare(run);
    } catch (StartFailedException e) {
      ends.failed(run, 0, e);
    }
  }

  private void prepare(TaskRun run) {
    if (run.template.kind() == JobKind.JAVA) {
      parts.java.prepare(run, parts.area, failure -> note(() -> preparationEnded(run, failure)));
    } else if (run.template.inputs().isEmpty() && run.held.inputs().isEmpty()) {
      prepared(run);
    } else {
      parts.preparation.begin(
          run, parts.area, failure -> note(() -> preparationEnded(run, failure)));
    }
  }

  private void preparationEnded(TaskRun run, @Nullable Finished failure) {
    if (run.ending != null) {
      ends.unbegun(run);
    } else if (failure != null) {
      if (failure.getOutcome() == Outcome.GIVEN_BACK) {
        parts.trouble.report(failure.getError());
      }
      ends.over(run, failure);
    } else {
      prepared(run);
    }
  }

  private void prepared(TaskRun run) {
    run.phase = TaskRun.Phase.READY;
    run.readyNanos = System.nanoTime();
    if (pause.isEmpty()) {
      ready.add(run);
    } else {
      ends.giveBack(run, "The node is paused: " + pause + ".");
    }
  }

  /** Freezes what runs and gives back what waits; without a reason lets tasks go on. */
  void pause(String why) {
    pause = why;
    for (TaskRun run : running) {
      freezeAsNeeded(run);
    }
    if (!why.isEmpty()) {
      giveBackWaiting(_ -> true, "The node is paused: " + why + ".");
    }
  }

  private void freezeAsNeeded(TaskRun run) {
    boolean on = !pause.isEmpty();
    if (run.process != null && run.process.freeze(on)) {
      run.frozen.set(on, System.nanoTime());
    }
  }

  /** The one that has done the least so far. */
  void giveBackYoungest(String reason) {
    if (!running.isEmpty()) {
      TaskRun youngest =
          Collections.max(running, (a, b) -> Long.signum(a.startedNanos - b.startedNanos));
      stop(youngest.held, TaskRun.Cause.GIVEN_BACK, reason);
    }
  }

  void giveBackRunning(String reason) {
    for (TaskRun run : List.copyOf(running)) {
      stop(run.held, TaskRun.Cause.GIVEN_BACK, reason);
    }
  }

  void stop(HeldLease held, TaskRun.Cause cause, String reason) {
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
      case PREPARING, REPORTING, OVER -> {} // ends by itself, and then with this reason
    }
  }

  private void terminate(TaskRun run, TaskRun.Cause cause) {
    boolean patient = cause == TaskRun.Cause.STOPPED || cause == TaskRun.Cause.OVERTIME;
    if (run.process != null) {
      run.process.terminate(patient ? parts.stopGraceMillis : 0);
      run.frozen.set(false, System.nanoTime()); // so that it can tidy up
    }
  }

  void follow(HeldLease held, FollowLog order) {
    if (tails.follow(held, order)) {
      nextTickNanos = System.nanoTime();
    }
  }

  /** Kills and gives back all that is not finished. */
  void closeDown(String reason) {
    closing = true;
    for (TaskRun run : List.copyOf(unfinished)) {
      stop(run.held, TaskRun.Cause.GIVEN_BACK, reason);
    }
  }

  boolean hasUnfinished() {
    return !unfinished.isEmpty() || !ends.reports().isEmpty();
  }

  // ------------------------------------------------------------------ running

  private void startReady() {
    while (!ready.isEmpty() && hasRoomFor(ready.peek())) {
      TaskRun run = ready.poll();
      try {
        start(run);
      } catch (StartFailedException e) {
        ends.failed(run, NOT_FOUND, e);
      } catch (ImkerException | IndexOutOfBoundsException e) {
        ends.failed(run, 0, e);
      } catch (IOException e) {
        parts.trouble.report("a task could not be set up: " + e.getMessage());
        ends.giveBack(run, "The node could not set the task up: " + e.getMessage());
      }
    }
  }

  private boolean hasRoomFor(TaskRun run) {
    return run.template.kind() == JobKind.JAVA ? launchpad.isIdle() : launchpad.wantsMore();
  }

  private void start(TaskRun run) throws IOException {
    if (run.template.kind() == JobKind.JAVA) {
      startJava(run);
      return;
    }
    ProcessSpec spec = commands.of(run);
    run.phase = TaskRun.Phase.STAGED;
    launchpad.add(run, spec);
  }

  private void startJava(TaskRun run) throws IOException {
    if (!launchpad.occupy()) {
      ready.addFirst(run);
      return;
    }
    run.startedMillis = System.currentTimeMillis();
    run.startedNanos = System.nanoTime();
    boolean started = false;
    try {
      run.process =
          parts.java.start(
              run, end -> note(() -> javaEnded(run, end)), on -> note(() -> javaWaits(run, on)));
      started = true;
    } finally {
      if (!started) {
        launchpad.vacate();
      }
    }
    run.phase = TaskRun.Phase.RUNNING;
    running.add(run);
    freezeAsNeeded(run);
    if (run.tail != null) {
      JavaTasks.follow(run.process, true);
    }
  }

  private void javaWaits(TaskRun run, boolean on) {
    if (on && run.phase == TaskRun.Phase.RUNNING) {
      if (waiting.begin(run)) {
        launchpad.vacate();
      }
    } else if (waiting.end(run)) {
      launchpad.occupyAnyway();
    }
  }

  /** A new session was opened. */
  void tellAgain() {
    waiting.tellAgain();
  }

  private void javaEnded(TaskRun run, JavaRuns.End end) {
    if (!waiting.end(run)) {
      launchpad.vacate();
    }
    running.remove(run);
    tails.send(run);
    ends.over(run, parts.java.report(run, end));
  }

  /** What becomes of commands; told on other threads. */
  private final class Launches implements Launchpad.Listener {
    @Override
    public void launched(TaskRun run, TaskProcess process) {
      notes.addQuietly(() -> TaskRunner.this.launched(run, process));
    }

    @Override
    public void notLaunched(TaskRun run, RuntimeException failure) {
      int exitCode = failure instanceof StartFailedException ? NOT_FOUND : 0;
      note(() -> ends.failed(run, exitCode, failure));
    }

    @Override
    public void exited(TaskRun run, ProcessExit exit) {
      notes.addQuietly(() -> TaskRunner.this.exited(run, exit));
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
    if (run.ending != null) {
      terminate(run, run.ending.cause());
    }
  }

  /**
   * The server sends a little more than there are slots, as long as tasks are short. If one then
   * takes long, those behind it go back, so that an idle agent can have them.
   */
  private void returnStranded(long nowNanos) {
    giveBackWaiting(
        run -> nowNanos - run.readyNanos > parts.longestQueueNanos,
        "It waited too long for a free slot.");
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
    TaskRun.Ending due = run.ending == null ? parts.watch.check(run, nowNanos) : null;
    if (due != null) {
      stop(run.held, due.cause(), due.reason());
    }
  }

  private void exited(TaskRun run, ProcessExit process) {
    TaskRun.Exit exit =
        new TaskRun.Exit(process, System.currentTimeMillis(), run.frozen.millis(System.nanoTime()));
    running.remove(run);
    run.phase = TaskRun.Phase.REPORTING;
    afterwards.add(() -> ends.exited(run, exit));
  }
}
