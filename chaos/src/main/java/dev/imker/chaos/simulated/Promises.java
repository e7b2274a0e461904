package dev.imker.chaos.simulated;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.imker.core.message.AgentView;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import dev.imker.model.job.After;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import dev.imker.server.loop.PoolState;
import dev.imker.store.JobRecord;
import dev.imker.store.simulated.SimDisk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Watches a pool from outside: what its disk gets, what agents and clients are told, what agents
 * do. Whatever contradicts a promise ends the simulation with {@link BrokenPromise}.
 */
final class Promises {
  private static final int IDLE_TURNS_PER_CHECK = 8;

  private final SimDisk disk;
  private final LogWatch log;
  private int idleTurns;
  private final Map<Lease, JobSpec> assigned = new HashMap<>();
  private final Set<Lease> begun = new HashSet<>();
  private final Set<TaskId> endedWell = new HashSet<>();
  private final Map<TaskId, Long> done = new HashMap<>();
  private final Map<TaskId, Set<Long>> open = new HashMap<>();
  private final Map<JobId, JobSpec> specs = new HashMap<>();
  private final Map<String, JobId> acknowledged = new HashMap<>();
  private final Map<TaskId, Lease> toldDone = new HashMap<>();
  private final Set<JobId> mayBeGone = new HashSet<>();
  private final Set<JobId> cancelled = new HashSet<>();

  Promises(SimDisk disk, LogWatch log) {
    this.disk = disk;
    this.log = log;
    disk.watch(this::written);
  }

  // ---------------------------------------------------------------- the disk

  /** What is written from here on outlives the server, in the order of the transactions. */
  private void written(List<Change> changes) {
    for (Change change : changes) {
      switch (change) {
        case JobAdded added -> specs.put(added.job(), added.spec());
        case JobRemoved gone -> removed(gone.job());
        case AttemptStarted start -> started(start);
        case AttemptEnded end -> ended(end);
        case TaskChanged task -> changed(task.task(), task.state());
        case TasksChanged run -> {
          for (int i = run.fromIndex(); i < run.toIndexExclusive(); i++) {
            changed(new TaskId(run.job(), i), run.state());
          }
        }
        default -> {}
      }
    }
  }

  private void removed(JobId job) {
    require(mayBeGone.contains(job), () -> "job " + job + " was removed, which nobody wanted");
    done.keySet().removeIf(task -> task.job().equals(job));
    open.keySet().removeIf(task -> task.job().equals(job));
  }

  private void started(AttemptStarted start) {
    TaskId task = start.task();
    require(!done.containsKey(task), () -> "task " + task + " is DONE and was handed out again");
    require(
        !cancelled.contains(task.job()),
        () -> "task " + task + " was handed out after its job was cancelled for good");
    Set<Long> tokens = open.computeIfAbsent(task, _ -> new HashSet<>());
    require(
        tokens.isEmpty() || mayHaveCopies(task),
        () -> "two leases at once of task " + task + ": " + start);
    require(tokens.add(start.token().value()), () -> "a lease began twice on disk: " + start);
  }

  private void ended(AttemptEnded end) {
    TaskId task = end.task();
    Set<Long> tokens = open.getOrDefault(task, Set.of());
    require(tokens.remove(end.token().value()), () -> "an attempt ended that was not open: " + end);
    if (end.state() == TaskState.DONE) {
      if (end.report().outcome() == AttemptOutcome.SUCCEEDED) {
        require(done.put(task, end.atMillis()) == null, () -> "task " + task + " was done twice");
      } else {
        require(
            done.containsKey(task), () -> "task " + task + " is DONE without a success: " + end);
      }
    } else {
      leavesDone(task, end.state());
    }
  }

  private void changed(TaskId task, TaskState state) {
    if (state != TaskState.DONE) {
      leavesDone(task, state);
    }
  }

  private void leavesDone(TaskId task, TaskState state) {
    Long at = done.get(task);
    if (at == null) {
      return;
    }
    require(mayBeginAgain(task.job()), () -> "task " + task + " was DONE and is " + state);
    done.remove(task);
    if (spec(task.job()).onFailure().way() == OnFailure.Way.ROLLBACK) {
      done.forEach(
          (other, otherAt) ->
              require(
                  !other.job().equals(task.job()) || otherAt <= at,
                  () ->
                      "task %s is undone before %s, which was done after it"
                          .formatted(task, other)));
    }
  }

  /** After a crash: what is on disk now counts. */
  void reload() {
    done.clear();
    open.clear();
    specs.clear();
    for (JobRecord job : disk.jobs()) {
      specs.put(job.id(), disk.spec(job.id()));
      for (SimDisk.Look task : disk.tasks(job.id())) {
        if (task.state() == TaskState.DONE) {
          done.put(task.id(), task.changedMillis());
        }
        if (!task.open().isEmpty()) {
          open.put(task.id(), new HashSet<>(task.open()));
        }
      }
    }
    checkTold();
  }

  private JobSpec spec(JobId job) {
    return Objects.requireNonNull(specs.get(job), () -> "no job " + job);
  }

  private boolean mayBeginAgain(JobId job) {
    return mayBeginAgain(spec(job));
  }

  private static boolean mayBeginAgain(JobSpec spec) {
    OnFailure.Way way = spec.onFailure().way();
    return way == OnFailure.Way.RESTART || way == OnFailure.Way.ROLLBACK;
  }

  private boolean mayHaveCopies(TaskId task) {
    var rules = spec(task.job()).stageOf(task.index()).rules();
    return rules.speculative() || rules.quorum() != 1;
  }

  // ---------------------------------------------------------------- servers

  /** A turn was written and is about to be told. Turns that changed nothing are looked at less. */
  void committed(List<Change> changes, PoolState pool) {
    if (changes.isEmpty() && ++idleTurns % IDLE_TURNS_PER_CHECK != 0) {
      return;
    }
    try {
      pool.scheduler().checkInvariants();
    } catch (IllegalStateException e) {
      throw new BrokenPromise("the scheduler contradicts itself: " + e.getMessage(), e);
    }
    // An agent that comes back keeps what it had, and may have got as much in the meantime.
    for (AgentView agent : pool.scheduler().view().agents()) {
      require(
          !agent.connected() || agent.held() <= 2 * (agent.slots() + ServerProcess.PREFETCH),
          () -> "agent " + agent.agent() + " has more than it can hold: " + agent);
    }
  }

  void checkLog() {
    ILoggingEvent error = log.unexpected();
    if (error != null) {
      throw new BrokenPromise("an error in a log: " + LogWatch.text(error));
    }
  }

  // ---------------------------------------------------------------- agents

  /** A server hands out a task, perhaps before that is written. */
  void assigned(Lease lease, JobSpec spec) {
    assigned.put(lease, spec);
  }

  void began(Lease lease, boolean undo) {
    require(begun.add(lease), () -> "lease " + lease + " began twice");
    JobSpec spec = assigned.get(lease);
    if (undo || spec == null || mayBeginAgain(spec)) {
      return;
    }
    int number = spec.stageNumberOf(lease.task().index());
    Stage stage = spec.stages().get(number);
    for (After after : stage.after()) {
      int before = stageNamed(spec, after.stage());
      int first = spec.firstOf(before);
      for (int i = 0; i < spec.stages().get(before).taskCount(); i++) {
        boolean waitsFor =
            after.matching() == After.Matching.ALL
                || i == lease.task().index() - spec.firstOf(number);
        require(
            !waitsFor || endedWell.contains(new TaskId(lease.task().job(), first + i)),
            () -> "task " + lease.task() + " began before the end of what it waits for");
      }
    }
  }

  private static int stageNamed(JobSpec spec, String name) {
    for (int i = 0; i < spec.stages().size(); i++) {
      if (spec.stages().get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalStateException(name);
  }

  void ended(Lease lease, AttemptOutcome outcome) {
    if (outcome == AttemptOutcome.SUCCEEDED) {
      endedWell.add(lease.task());
    }
  }

  /** An agent was told that its success counts. */
  void confirmed(Lease lease, AttemptOutcome outcome, boolean undo) {
    if (outcome == AttemptOutcome.SUCCEEDED && !undo) {
      toldDone.put(lease.task(), lease);
    }
  }

  // ---------------------------------------------------------------- clients

  void acknowledged(String key, JobId job) {
    JobId former = acknowledged.put(key, job);
    require(
        former == null || former.equals(job), () -> key + " is job " + former + " and job " + job);
  }

  void mayBeGone(JobId job) {
    mayBeGone.add(job);
  }

  /** A cancel was answered, and nobody has wanted to go on with the job since it was asked for. */
  void cancelled(JobId job) {
    JobSpec spec = specs.get(job);
    if (spec != null && spec.onFailure().way() != OnFailure.Way.ROLLBACK) {
      cancelled.add(job);
    }
  }

  void goesOn(JobId job) {
    cancelled.remove(job);
  }

  /** All that was told is on disk. */
  void checkTold() {
    Set<JobId> there = new HashSet<>();
    disk.jobs().forEach(job -> there.add(job.id()));
    acknowledged.forEach(
        (key, job) ->
            require(
                there.contains(job) || mayBeGone.contains(job),
                () -> "job " + job + " was acknowledged and is not there (" + key + ")"));
    Map<TaskId, SimDisk.Look> tasks = new HashMap<>();
    there.forEach(job -> disk.tasks(job).forEach(task -> tasks.put(task.id(), task)));
    toldDone.forEach(
        (task, lease) -> {
          if (!there.contains(task.job())) {
            require(
                mayBeGone.contains(task.job()) || !acknowledged.containsValue(task.job()),
                () -> "the job of result " + lease + " is gone");
          } else if (!mayBeginAgain(task.job()) && !mayHaveCopies(task)) {
            SimDisk.Look found = tasks.get(task);
            require(
                found != null && isKept(found),
                () -> "the success of " + lease + " was confirmed and does not count: " + found);
          }
        });
  }

  /** Whoever cancels in the same moment may win. */
  private static boolean isKept(SimDisk.Look task) {
    return task.state() == TaskState.DONE;
  }

  boolean isFinished() {
    return disk.jobs().stream().allMatch(JobRecord::isSettled);
  }

  /** What is left to do. */
  String unfinished() {
    List<String> left = new ArrayList<>();
    for (JobRecord job : disk.jobs()) {
      if (!job.isSettled()) {
        left.add(
            "job %s (%s) %s"
                .formatted(job.id(), spec(job.id()).onFailure().way(), disk.tasks(job.id())));
      }
    }
    return String.join("\n", left);
  }

  private static void require(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      throw new BrokenPromise(otherwise.get());
    }
  }
}
