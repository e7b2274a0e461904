package dev.imker.agent.internal.run;

import dev.imker.agent.internal.host.JavaTasks;
import dev.imker.agent.internal.process.OwnProgram;
import dev.imker.agent.internal.process.ProcessExecutor;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.process.StartFailedException;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.work.TaskFolder;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.model.ExpandedTask;
import dev.imker.model.ImkerException;
import dev.imker.model.JobKind;
import dev.imker.model.TaskTemplate;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.Outcome;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the commands of leases, so many at once as there are slots. One thread owns all of it; other
 * threads leave it notes. What waits for the network (inputs, results) happens on virtual threads.
 *
 * <p>When a process ends, the next one is started before the report of the first is made: that work
 * then happens while the new process runs.
 */
final class TaskRunner implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRunner.class);
  private static final long TAIL_TICK_MILLIS = 50;
  private static final long TICK_MILLIS = 250;
  private static final int NOT_FOUND = 127;

  /** How long notes may lie that do not wake the runner. */
  private static final long QUIET_NANOS = 20_000_000;

  /** A lease that waits so long for a slot is better off elsewhere. */
  private static final long LONGEST_QUEUE_NANOS = 1_000_000_000;

  /** What a runner works with. */
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
      int slots,
      Enclosure enclosure,
      RunWatch watch,
      Checkpointing checkpointing,
      Trouble trouble) {}

  private final Parts parts;
  private final LinkedBlockingQueue<Runnable> notes = new LinkedBlockingQueue<>();

  /** Notes that do not wake the runner; it sees them before any other, and soon. */
  private final ConcurrentLinkedQueue<Runnable> quietNotes = new ConcurrentLinkedQueue<>();

  private final ArrayDeque<TaskRun> ready = new ArrayDeque<>();
  private final LinkedHashSet<TaskRun> running = new LinkedHashSet<>();
  private final Set<TaskRun> unfinished = new LinkedHashSet<>();
  private final ArrayDeque<Runnable> afterwards = new ArrayDeque<>();
  private final ReportQueue reports;
  private final Launchpad launchpad;
  private final WaitingRuns waiting;
  private final Runnable onTick;
  private volatile boolean ended;
  private boolean closing;
  private String pause = "";
  private int tails;
  private long nextTickNanos = System.nanoTime();

  TaskRunner(Parts parts, Runnable onTick) {
    this.parts = parts;
    this.reports = new ReportQueue(parts.delivery);
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
    List<Runnable> batch = new ArrayList<>();
    while (!ended) {
      try {
        Runnable first = notes.poll(waitNanos(), TimeUnit.NANOSECONDS);
        if (first != null) {
          batch.add(first);
          notes.drainTo(batch);
        }
      } catch (InterruptedException e) {
        return;
      }
      for (Runnable quiet = quietNotes.poll(); quiet != null; quiet = quietNotes.poll()) {
        guarded(quiet);
      }
      batch.forEach(this::guarded);
      batch.clear();
      startReady();
      while (!afterwards.isEmpty()) {
        guarded(afterwards.poll());
      }
      boolean alone = closing || (ready.isEmpty() && launchpad.isIdle());
      reports.sendIfDue(System.nanoTime(), alone);
      tickIfDue();
    }
    reports.sendAll();
  }

  private long waitNanos() {
    long nowNanos = System.nanoTime();
    long tickNanos = Math.max(0, nextTickNanos - nowNanos);
    long mostNanos = launchpad.isStocked() ? Math.min(tickNanos, QUIET_NANOS) : tickNanos;
    return reports.waitNanos(nowNanos, mostNanos);
  }

  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.error("A step of the agent failed; it goes on", e);
    }
  }

  private void tickIfDue() {
    long nowNanos = System.nanoTime();
    if (nowNanos - nextTickNanos < 0) {
      return;
    }
    long tickMillis = tails > 0 ? TAIL_TICK_MILLIS : TICK_MILLIS;
    nextTickNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(tickMillis);
    for (TaskRun run : running) {
      checkLimits(run, nowNanos);
      parts.checkpointing.saveIfDue(run, nowNanos);
      sendTail(run);
    }
    if (parts.watch.isMemoryExceeded(running)) {
      giveBackYoungest("All tasks together need more memory than the owner of the node lends.");
    }
    returnStranded(nowNanos);
    waiting.tellIfFewer();
    guarded(onTick);
  }

  // ------------------------------------------------------------------ notes, on the runner's
  // thread

  void accept(HeldLease held, TaskTemplate template) {
    TaskRun run = held.begin(template);
    unfinished.add(run);
    if (closing) {
      giveBack(run, "The agent is closing.");
      return;
    }
    try {
      parts.enclosure.checkTrust(held, template);
      prepare(run);
    } catch (StartFailedException e) {
      over(run, failed(run, 0, e));
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
      finishWithoutRun(run);
    } else if (failure != null) {
      if (failure.getOutcome() == Outcome.GIVEN_BACK) {
        parts.trouble.report(failure.getError());
      }
      over(run, failure);
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
      giveBack(run, "The node is paused: " + pause + ".");
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
      stop(running.getLast().held, TaskRun.Cause.GIVEN_BACK, reason);
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
        finishWithoutRun(run);
      }
      case STAGED -> {
        if (launchpad.withdraw(run)) {
          finishWithoutRun(run);
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
    TaskRun run = held.run;
    if (run == null || run.phase == TaskRun.Phase.REPORTING || run.isOver()) {
      tail(held, order).end();
      return;
    }
    dropTail(run);
    if (order.getOn()) {
      run.tail = tail(held, order);
      tails++;
      JavaTasks.follow(run.process, true);
      nextTickNanos = System.nanoTime();
    }
  }

  private LogTail tail(HeldLease held, FollowLog order) {
    return new LogTail(
        held.wire(), order.getStdoutOffset(), order.getStderrOffset(), this::sendChunk);
  }

  private boolean sendChunk(LogChunk chunk) {
    return parts.uplink.trySend(chunk);
  }

  /** Kills and gives back all that is not finished. */
  void closeDown(String reason) {
    closing = true;
    for (TaskRun run : List.copyOf(unfinished)) {
      stop(run.held, TaskRun.Cause.GIVEN_BACK, reason);
    }
  }

  boolean hasUnfinished() {
    return !unfinished.isEmpty() || !reports.isEmpty();
  }

  // ------------------------------------------------------------------ running

  private void startReady() {
    while (!ready.isEmpty() && hasRoomFor(ready.peek())) {
      TaskRun run = ready.poll();
      try {
        start(run);
      } catch (StartFailedException e) {
        over(run, failed(run, NOT_FOUND, e));
      } catch (ImkerException | IndexOutOfBoundsException e) {
        over(run, failed(run, 0, e));
      } catch (IOException e) {
        parts.trouble.report("a task could not be set up: " + e.getMessage());
        giveBack(run, "The node could not set the task up: " + e.getMessage());
      }
    }
  }

  private boolean hasRoomFor(TaskRun run) {
    return run.template.kind() == JobKind.JAVA ? launchpad.isIdle() : launchpad.wantsMore();
  }

  private static Finished failed(TaskRun run, int exitCode, RuntimeException e) {
    return Reporting.withoutRun(run.held, Outcome.FAILED, exitCode, String.valueOf(e.getMessage()));
  }

  private void start(TaskRun run) throws IOException {
    if (run.template.kind() == JobKind.JAVA) {
      startJava(run);
      return;
    }
    ExpandedTask task = run.expanded();
    TaskFolder folder = run.folder;
    if (folder == null) {
      folder = Preparation.folder(run, parts.area);
    }
    ProcessSpec spec =
        new ProcessSpec(
            TaskEnvironment.commandLine(OwnProgram.in(task.command())),
            parts.environment.of(run, task, folder),
            folder.work(),
            folder.stdout(),
            folder.stderr(),
            parts.priority);
    if (!task.stdin().isEmpty()) {
      spec = spec.reading(folder.layStdin(task.stdin()));
    }
    ProcessSpec enclosed = parts.enclosure.enclose(run.template, spec, folder);
    run.phase = TaskRun.Phase.STAGED;
    launchpad.add(run, enclosed);
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
    sendTail(run);
    over(run, parts.java.report(run, end));
  }

  /** What becomes of commands; told on other threads. */
  private final class Launches implements Launchpad.Listener {
    @Override
    public void launched(TaskRun run, TaskProcess process) {
      quietNotes.add(() -> TaskRunner.this.launched(run, process));
    }

    @Override
    public void notLaunched(TaskRun run, RuntimeException failure) {
      int exitCode = failure instanceof StartFailedException ? NOT_FOUND : 0;
      note(() -> over(run, failed(run, exitCode, failure)));
    }

    @Override
    public void exited(TaskRun run, ProcessExit exit) {
      quietNotes.add(() -> TaskRunner.this.exited(run, exit));
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
        run -> nowNanos - run.readyNanos > LONGEST_QUEUE_NANOS,
        "It waited too long for a free slot.");
  }

  private void giveBackWaiting(Predicate<TaskRun> kind, String reason) {
    for (TaskRun run : launchpad.waiting(kind)) {
      if (launchpad.withdraw(run)) {
        giveBack(run, reason);
      }
    }
    while (!ready.isEmpty() && kind.test(ready.peek())) {
      giveBack(ready.poll(), reason);
    }
  }

  private void checkLimits(TaskRun run, long nowNanos) {
    TaskRun.Ending due = run.ending == null ? parts.watch.check(run, nowNanos) : null;
    if (due != null) {
      stop(run.held, due.cause(), due.reason());
    }
  }

  private void sendTail(TaskRun run) {
    if (run.tail != null && run.template.kind() == JobKind.JAVA) {
      run.tail.send(run.liveLog);
    } else if (run.tail != null && run.folder != null) {
      run.tail.send(run.folder.stdout(), run.folder.stderr());
    }
  }

  private void dropTail(TaskRun run) {
    if (run.tail != null) {
      run.tail = null;
      tails--;
      JavaTasks.follow(run.process, false);
    }
  }

  private void exited(TaskRun run, ProcessExit process) {
    TaskRun.Exit exit =
        new TaskRun.Exit(
            process, System.currentTimeMillis(), run.frozen.millis(System.nanoTime()));
    running.remove(run);
    run.phase = TaskRun.Phase.REPORTING;
    afterwards.add(() -> report(run, exit));
  }

  private void report(TaskRun run, TaskRun.Exit exit) {
    if (run.tail != null) {
      sendTail(run);
      run.tail.end();
      dropTail(run);
    }
    try {
      Reporting.OutputSize output = Reporting.OutputSize.of(run);
      if (Reporting.needsUpload(run, exit, output)) {
        Thread.ofVirtual().name("imker-report").start(() -> reportWithUpload(run, exit));
      } else {
        over(run, Reporting.quick(run, exit, output));
      }
    } catch (IOException e) {
      giveBack(run, "The node lost the task's output: " + e.getMessage());
    }
  }

  private void reportWithUpload(TaskRun run, TaskRun.Exit exit) {
    Finished report;
    try {
      report = parts.reporting.full(run, exit);
    } catch (IOException e) {
      report =
          Reporting.withoutRun(
              run.held, Outcome.GIVEN_BACK, 0, "Results could not be read: " + e.getMessage());
    } catch (InterruptedException e) {
      return;
    }
    Finished done = report;
    note(() -> over(run, done));
  }

  // ------------------------------------------------------------------ endings

  private void finishWithoutRun(TaskRun run) {
    TaskRun.Ending ending = Objects.requireNonNull(run.ending);
    Outcome outcome =
        ending.cause() == TaskRun.Cause.GIVEN_BACK ? Outcome.GIVEN_BACK : Outcome.STOPPED;
    over(run, Reporting.withoutRun(run.held, outcome, 0, ending.reason()));
  }

  private void giveBack(TaskRun run, String reason) {
    over(run, Reporting.withoutRun(run.held, Outcome.GIVEN_BACK, 0, reason));
  }

  /** The lease's work is done: its report goes out, its folder goes. */
  private void over(TaskRun run, Finished report) {
    if (run.isOver()) {
      return;
    }
    run.phase = TaskRun.Phase.OVER;
    unfinished.remove(run);
    if (run.tail != null) {
      run.tail.end();
      dropTail(run);
    }
    TaskRun.Ending ending = run.ending;
    if (ending != null && ending.cause() == TaskRun.Cause.FORGOTTEN) {
      parts.delivery.confirmed(run.held.token());
    } else {
      reports.add(run.held, report);
    }
    if (run.folder != null) {
      try {
        parts.area.giveBack(run.folder);
      } catch (IOException e) {
        LOG.warn("The folder of task {} could not be removed", run.held.lease().task(), e);
      }
    }
  }
}
