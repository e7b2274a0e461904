package dev.imker.store.simulated;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.account.Account;
import dev.imker.model.change.AccountPut;
import dev.imker.model.change.AccountRemoved;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.JobPhased;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.change.NodeAvailable;
import dev.imker.model.change.NodeProfiled;
import dev.imker.model.change.NodeSeen;
import dev.imker.model.change.NoticeQueued;
import dev.imker.model.change.ProjectProfiled;
import dev.imker.model.change.RemovedTasksDeleted;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.SharedEntryPut;
import dev.imker.model.change.SharedEntryRemoved;
import dev.imker.model.change.SharedThingPut;
import dev.imker.model.change.SharedThingRemoved;
import dev.imker.model.change.SpecChanged;
import dev.imker.model.change.StrategyRemembered;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TaskImported;
import dev.imker.model.change.TasksChanged;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedKey;
import dev.imker.model.shared.SharedThing;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.NodeRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.StoreException;
import dev.imker.store.internal.live.Touched;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The result of all transactions so far, limited to what a simulated pool needs. */
final class SimTables {
  private static final long AVAILABILITY_KEPT_MILLIS = 180L * 24 * 3600 * 1000;

  static final class Job {
    final JobAdded added;
    JobSpec spec;
    int[] counts;
    long settledMillis = JobChanged.OPEN;
    int priority;
    String phase = "";

    Job(JobAdded added) {
      this.added = added;
      spec = added.spec();
      priority = spec.priority();
      counts = new int[TaskState.values().length];
      long waiting =
          spec.stages().stream()
              .filter(stage -> !StageGraph.predecessors(stage).isEmpty())
              .mapToLong(Stage::taskCount)
              .sum();
      counts[TaskState.WAITING.ordinal()] = (int) waiting;
      counts[TaskState.READY.ordinal()] = added.taskCount() - (int) waiting;
    }

    Job copy() {
      Job copy = new Job(added);
      copy.spec = spec;
      copy.counts = counts.clone();
      copy.settledMillis = settledMillis;
      copy.priority = priority;
      copy.phase = phase;
      return copy;
    }

    JobRecord record() {
      return new JobRecord(
          added.job(),
          new ProjectId(added.user(), spec.project()),
          spec.name(),
          spec.kind(),
          spec.stages().getFirst().command(),
          added.taskCount(),
          priority,
          counts.clone(),
          added.submittedMillis(),
          settledMillis,
          added.requestKey(),
          added.session(),
          phase);
    }
  }

  final TreeMap<Long, Job> jobs = new TreeMap<>();
  final Map<Long, TreeMap<Integer, SimTask>> tasks = new HashMap<>();
  final Map<String, Long> byRequestKey = new HashMap<>();
  final Map<JobId, Integer> removed = new LinkedHashMap<>();
  final Map<Long, Long> incarnations = new HashMap<>();
  final TreeMap<String, String> settings = new TreeMap<>();
  final Map<NodeId, String> nodeProfiles = new LinkedHashMap<>();
  final Map<ProjectId, String> projectProfiles = new LinkedHashMap<>();
  final TreeMap<String, StrategyRemembered> memories = new TreeMap<>();
  final Map<String, Account> accounts = new TreeMap<>();
  final Map<NodeId, Map<AgentId, NodeRecord.Agent>> nodes = new LinkedHashMap<>();
  final List<NodeAvailable> availability = new ArrayList<>();
  final List<NoticeQueued> notices = new ArrayList<>();
  final Map<SharedKey, SharedThing> things = new LinkedHashMap<>();
  final TreeMap<Long, SharedEntry> entries = new TreeMap<>();
  final List<Turn> log = new ArrayList<>();
  long lastJob;
  long epoch;
  long turn;

  /**
   * A transaction of a leader as read by followers.
   *
   * @param previous the last turn of the epoch before, of the first turn of an epoch
   */
  record Turn(PoolStore.Position at, long mark, long previous, Touched touched) {
    boolean follows(PoolStore.Position before) {
      return at.epoch() == before.epoch()
          ? at.turn() == before.turn() + 1
          : at.turn() == 0 && previous == before.turn();
    }
  }

  /** So few that a follower that pauses for a moment has to read everything again. */
  private static final int TURNS_KEPT = 40;

  void beginEpoch(long incarnation) {
    long previous = turn;
    epoch++;
    turn = 0;
    incarnations.put(epoch, incarnation);
    log(new Turn(position(), incarnation, previous, Touched.by(List.of())));
  }

  void endTurn(long mark, Touched touched) {
    turn++;
    log(new Turn(position(), mark, 0, touched));
  }

  private void log(Turn next) {
    log.add(next);
    if (log.size() > TURNS_KEPT) {
      log.removeFirst();
    }
  }

  PoolStore.Position position() {
    return new PoolStore.Position(epoch, turn);
  }

  LeaseToken token(long value) {
    return new LeaseToken(value, incarnations.getOrDefault(LeaseToken.epochOf(value), 0L));
  }

  AttemptRecord record(SimTask.Attempt attempt) {
    return new AttemptRecord(
        token(attempt.token()),
        attempt.number(),
        attempt.agent(),
        attempt.node(),
        attempt.leasedMillis(),
        attempt.report());
  }

  @Nullable SimTask find(TaskId id) {
    return tasksOf(id.job()).get(id.index());
  }

  NavigableMap<Integer, SimTask> tasksOf(JobId job) {
    NavigableMap<Integer, SimTask> found = tasks.get(job.value());
    return found == null ? new TreeMap<>() : found;
  }

  private SimTask task(TaskId id) {
    return tasks
        .computeIfAbsent(id.job().value(), _ -> new TreeMap<>())
        .computeIfAbsent(id.index(), _ -> new SimTask(id));
  }

  private SimTask known(TaskId id) {
    SimTask found = find(id);
    if (found == null) {
      throw new StoreException("An attempt of task " + id + " ended that is not known to run.");
    }
    return found;
  }

  /** Applies one change; the rest of its transaction is lost with it if it throws. */
  void apply(Change change) {
    switch (change) {
      case JobAdded job -> add(job);
      case JobChanged changed -> {
        Job job = job(changed.job());
        job.counts = changed.countsByState().clone();
        job.settledMillis = changed.settledMillis();
        job.priority = changed.priority();
      }
      case JobPhased phased -> job(phased.job()).phase = phased.phase();
      case SpecChanged changed -> job(changed.job()).spec = changed.spec();
      case AttemptStarted start -> task(start.task()).start(start);
      case AttemptEnded end -> known(end.task()).end(end);
      case AttemptStopped stop -> {
        SimTask found = find(stop.task());
        if (found != null) {
          found.stop(stop);
        }
      }
      case TaskChanged t ->
          task(t.task()).change(t.state(), t.failures(), t.losses(), t.atMillis(), t.reason());
      case TasksChanged run -> {
        for (int i = run.fromIndex(); i < run.toIndexExclusive(); i++) {
          task(new TaskId(run.job(), i))
              .change(run.state(), run.failures(), run.losses(), run.atMillis(), run.reason());
        }
      }
      case TaskImported imported -> take(imported);
      case JobRemoved gone -> remove(gone);
      case RemovedTasksDeleted gone -> {
        tasksOf(gone.job()).subMap(gone.fromIndex(), gone.toIndexExclusive()).clear();
        if (gone.last()) {
          removed.remove(gone.job());
        }
      }
      case NodeSeen seen ->
          nodes
              .computeIfAbsent(seen.node(), _ -> new LinkedHashMap<>())
              .put(
                  seen.agent(),
                  new NodeRecord.Agent(
                      seen.agent(),
                      seen.agentName(),
                      seen.version(),
                      seen.platform(),
                      seen.slots(),
                      seen.connected(),
                      seen.atMillis()));
      case NodeProfiled node -> nodeProfiles.put(node.node(), node.profileJson());
      case ProjectProfiled project -> projectProfiles.put(project.project(), project.profileJson());
      case NodeAvailable node -> {
        availability.removeIf(old -> old.atMillis() < node.atMillis() - AVAILABILITY_KEPT_MILLIS);
        availability.add(node);
      }
      case StrategyRemembered memory ->
          memories.put(memory.strategy() + " " + memory.subject(), memory);
      case SettingPut put -> put(put.key(), put.value());
      case AccountPut put -> accounts.put(put.account().name(), put.account());
      case AccountRemoved gone -> {
        accounts.remove(gone.account());
        settings.keySet().removeIf(key -> key.startsWith("secret/" + gone.account() + "/"));
      }
      case NoticeQueued notice -> {
        if (!notices.contains(notice)) {
          notices.add(notice);
        }
      }
      case SharedThingPut put -> things.put(put.thing().key(), put.thing());
      case SharedThingRemoved gone -> things.remove(gone.key());
      case SharedEntryPut put -> entries.put(put.entry().number(), put.entry());
      case SharedEntryRemoved gone -> entries.remove(gone.entry().number());
      default -> {} // nothing of it is read again here
    }
  }

  void put(String key, String value) {
    if (value.isEmpty()) {
      settings.remove(key);
    } else {
      settings.put(key, value);
    }
  }

  private Job job(JobId id) {
    Job job = jobs.get(id.value());
    if (job == null) {
      throw new StoreException("Job " + id + " changed but was never added.");
    }
    return job;
  }

  private void add(JobAdded added) {
    long id = added.job().value();
    String key = added.requestKey();
    if (jobs.containsKey(id) || (!key.isEmpty() && byRequestKey.containsKey(key))) {
      throw new StoreException("Job " + id + " or its key is there already.");
    }
    jobs.put(id, new Job(added));
    if (!key.isEmpty()) {
      byRequestKey.put(key, id);
    }
    lastJob = Math.max(lastJob, id);
  }

  private void remove(JobRemoved gone) {
    long id = gone.job().value();
    if (gone.tasksLater() > 0) {
      removed.put(gone.job(), gone.tasksLater());
    } else {
      tasks.remove(id);
    }
    Job job = jobs.remove(id);
    if (job != null) {
      byRequestKey.remove(job.added.requestKey());
    }
    notices.removeIf(notice -> notice.job().equals(gone.job()));
    settings.keySet().removeIf(key -> key.startsWith("checkpoint/" + gone.job() + "."));
    lastJob = Math.max(lastJob, id);
  }

  private void take(TaskImported imported) {
    SimTask task = task(imported.task());
    task.change(
        imported.state(), imported.failures(), imported.losses(), imported.changedMillis(), "");
    task.attempts = imported.attempts().size();
    for (int i = 0; i < imported.attempts().size(); i++) {
      TaskImported.Attempt one = imported.attempts().get(i);
      SimTask.Attempt attempt =
          new SimTask.Attempt(
              one.token().value(),
              one.number(),
              one.agent(),
              one.node(),
              one.leasedMillis(),
              Granted.ONE_CORE,
              one.report());
      if (i == imported.settling()) {
        task.last = attempt;
      } else {
        task.ended.put(attempt.token(), attempt);
      }
    }
  }

  JobSpec specOf(long job) {
    return Objects.requireNonNull(jobs.get(job)).spec;
  }
}
