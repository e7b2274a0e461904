package dev.imker.core;

import dev.imker.core.message.JobHeader;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.strategy.Strategy;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.JobPhased;
import dev.imker.model.change.NodeAvailable;
import dev.imker.model.change.NodeProfiled;
import dev.imker.model.change.NodeSeen;
import dev.imker.model.change.ProjectProfiled;
import dev.imker.model.change.RecordChange;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.SpecChanged;
import dev.imker.model.change.StrategyRemembered;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.TaskLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a store would keep: knows the scheduler by its changes alone, refuses impossible ones, and
 * builds another scheduler from what it knows.
 */
final class Ledger {
  record Row(TaskState state, int failures, int losses, int attempts) {
    Row in(TaskState other) {
      return new Row(other, failures, losses, attempts);
    }
  }

  record Open(
      Lease lease, AgentId agent, NodeId node, int attempt, long startedMillis, String granted) {}

  /** A success that does not count alone. */
  record Vote(TaskId task, NodeId node, AttemptReport report) {}

  /** What exists once for all machines. */
  final Map<String, Double> shared = new HashMap<>();

  private final Map<JobId, String> phases = new HashMap<>();
  private final Map<JobId, List<TaskLimits>> limits = new HashMap<>();
  private final Map<TaskId, Long> done = new LinkedHashMap<>();
  private final List<Vote> votes = new ArrayList<>();
  private final Map<JobId, JobHeader> jobs = new LinkedHashMap<>();
  private final Map<TaskId, Row> rows = new HashMap<>();
  private final Map<Lease, Open> open = new LinkedHashMap<>();
  private final Set<Lease> lost = new HashSet<>();
  private final Map<JobId, JobChanged> lastJobChange = new HashMap<>();

  List<TaskLimits> limits(JobId job) {
    return limits.getOrDefault(job, List.of());
  }

  void limits(JobId job, List<TaskLimits> next) {
    limits.put(job, next);
  }

  void add(JobHeader job) {
    jobs.put(job.id(), job);
  }

  void apply(Change change) {
    switch (change) {
      case AttemptStarted c -> started(c);
      case AttemptEnded c -> ended(c);
      case AttemptStopped c -> require(rows.containsKey(c.task()), c);
      case TaskChanged c -> changed(c.task(), c.state(), c.failures(), c.losses());
      case TasksChanged c -> {
        for (int i = c.fromIndex(); i < c.toIndexExclusive(); i++) {
          changed(new TaskId(c.job(), i), c.state(), c.failures(), c.losses());
        }
      }
      case JobChanged c -> {
        lastJobChange.put(c.job(), c);
        jobs.computeIfPresent(c.job(), (id, job) -> job.withPriority(c.priority()));
      }
      case JobPhased c -> phases.put(c.job(), c.phase());
      case NodeSeen c -> require(c.slots() >= 0, c);
      case JobAdded _,
          SpecChanged _,
          NodeProfiled _,
          ProjectProfiled _,
          RecordChange _,
          SettingPut _,
          NodeAvailable _,
          StrategyRemembered _ ->
          throw new AssertionError("the scheduler does not write " + change);
    }
  }

  Map<TaskId, Row> rows() {
    return rows;
  }

  List<JobHeader> jobs() {
    return List.copyOf(jobs.values());
  }

  JobChanged lastChange(JobId job) {
    return Objects.requireNonNull(lastJobChange.get(job));
  }

  List<Lease> openLeases(AgentId agent) {
    return open.values().stream().filter(o -> o.agent().equals(agent)).map(Open::lease).toList();
  }

  Scheduler restart(SchedulerSettings settings, Strategy strategy, long epoch, long nowMillis) {
    rows.replaceAll((task, row) -> isLost(task, row) ? row.in(TaskState.READY) : row);
    Scheduler scheduler = new Scheduler(settings, strategy, epoch, epoch);
    scheduler.onPoolResources(shared);
    for (JobHeader job : jobs.values()) {
      scheduler.recovery().job(job);
      for (int i = 0; i < job.taskCount(); i++) {
        Row row = rows.get(new TaskId(job.id(), i));
        if (row != null) {
          scheduler
              .recovery()
              .task(
                  new TaskId(job.id(), i),
                  row.state(),
                  row.failures(),
                  row.losses(),
                  row.attempts());
        }
      }
    }
    limits.forEach(scheduler.recovery()::taskLimits);
    phases.forEach(scheduler.recovery()::phase);
    // As a store tells them: in the order of their ids, not of their ends.
    done.entrySet().stream()
        .sorted(Comparator.comparingInt(e -> e.getKey().index()))
        .forEach(e -> scheduler.recovery().doneAt(e.getKey(), e.getValue()));
    for (Vote vote : votes) {
      TaskState state = row(vote.task()).state();
      if (!state.isSettled()) {
        scheduler.recovery().vote(vote.task(), vote.node(), vote.report());
      }
    }
    List<Open> leases = new ArrayList<>(open.values());
    for (Open o : leases) {
      scheduler
          .recovery()
          .lease(
              o.lease(),
              o.agent(),
              o.node(),
              o.attempt(),
              o.startedMillis(),
              Granted.parse(o.granted()));
    }
    scheduler.recovery().complete(nowMillis);
    return scheduler;
  }

  /** Lost before the restart and not yet READY again. */
  private boolean isLost(TaskId task, Row row) {
    return row.state() == TaskState.RUNNING
        && open.keySet().stream().noneMatch(lease -> lease.task().equals(task));
  }

  private void started(AttemptStarted c) {
    Row row = row(c.task());
    require(row.state() == TaskState.READY || row.state() == TaskState.RUNNING, c);
    Lease lease = new Lease(c.task(), c.token());
    boolean goesOn = lost.contains(lease) && c.attempt() == row.attempts();
    require(goesOn || c.attempt() > row.attempts(), c);
    rows.put(c.task(), new Row(TaskState.RUNNING, row.failures(), row.losses(), c.attempt()));
    Open before =
        open.put(
            lease, new Open(lease, c.agent(), c.node(), c.attempt(), c.atMillis(), c.granted()));
    require(before == null, c);
  }

  private void ended(AttemptEnded c) {
    Row row = row(c.task());
    Open ended = open.remove(new Lease(c.task(), c.token()));
    require(ended != null, c);
    if (c.report().outcome() == AttemptOutcome.LOST) {
      lost.add(new Lease(c.task(), c.token()));
    }
    if (ended != null && c.report().outcome() == AttemptOutcome.SUCCEEDED) {
      require(row.state() == TaskState.RUNNING, c);
      if (c.state() == TaskState.DONE) {
        done.put(c.task(), c.atMillis());
      } else {
        votes.add(new Vote(c.task(), ended.node(), c.report()));
      }
    }
    require(row.state() != TaskState.DONE || c.state() == TaskState.DONE, c);
    rows.put(c.task(), new Row(c.state(), c.failures(), c.losses(), row.attempts()));
  }

  private void changed(TaskId task, TaskState state, int failures, int losses) {
    Row row = row(task);
    boolean again = header(task.job()).onFailure().way() != OnFailure.Way.CARRY_ON;
    require(again || row.state() != TaskState.DONE, task + " was done and is " + state);
    rows.put(task, new Row(state, failures, losses, row.attempts()));
  }

  private JobHeader header(JobId job) {
    return Objects.requireNonNull(jobs.get(job));
  }

  private Row row(TaskId task) {
    require(jobs.containsKey(task.job()), task);
    // A task that was never told of is in its initial state, or READY since its predecessors are
    // done: which of both, follows from them.
    return rows.getOrDefault(task, new Row(TaskState.READY, 0, 0, 0));
  }

  private static void require(boolean holds, Object change) {
    if (!holds) {
      throw new AssertionError("impossible change: " + change);
    }
  }
}
