package dev.imker.store.simulated;

import dev.imker.model.BlobId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.job.JobSpec;
import dev.imker.store.AttemptRecord;
import dev.imker.store.AvailabilityRecord;
import dev.imker.store.JobFilter;
import dev.imker.store.JobOrder;
import dev.imker.store.JobRecord;
import dev.imker.store.NodeRecord;
import dev.imker.store.Reads;
import dev.imker.store.RunRecord;
import dev.imker.store.TaskFigures;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Queries that a simulated pool makes; pages for people are not among them. */
record SimReads(Supplier<SimTables> source) implements Reads {
  static UnsupportedOperationException notKept() {
    return new UnsupportedOperationException("a simulated store does not keep this");
  }

  @Override
  public Optional<JobRecord> job(JobId id) {
    return Optional.ofNullable(source.get().jobs.get(id.value())).map(SimTables.Job::record);
  }

  @Override
  public Optional<JobSpec> spec(JobId id) {
    return Optional.ofNullable(source.get().jobs.get(id.value())).map(job -> job.spec);
  }

  @Override
  public Optional<JobRecord> newestByName(String name) {
    return source.get().jobs.descendingMap().values().stream()
        .map(SimTables.Job::record)
        .filter(job -> job.name().equals(name))
        .findFirst();
  }

  @Override
  public Optional<JobRecord> newestByName(String name, String user) {
    return newestByName(name).filter(job -> job.project().user().equals(user));
  }

  @Override
  public long rowBytes(JobId job) {
    return 0;
  }

  @Override
  public Optional<JobRecord> byRequestKey(String requestKey) {
    Long id = source.get().byRequestKey.get(requestKey);
    return id == null ? Optional.empty() : job(new JobId(id));
  }

  @Override
  public List<JobRecord> jobs(JobFilter filter, @Nullable JobId before, int limit) {
    throw notKept();
  }

  @Override
  public List<JobRecord> jobs(
      JobFilter filter, JobOrder order, JobOrder.@Nullable Place after, int limit) {
    throw notKept();
  }

  @Override
  public List<String> recentNames(int limit) {
    throw notKept();
  }

  @Override
  public List<String> recentNames(int limit, String user) {
    throw notKept();
  }

  @Override
  public Optional<TaskRecord> task(TaskId id) {
    SimTables tables = source.get();
    return Optional.ofNullable(tables.find(id)).map(task -> record(tables, task));
  }

  private static TaskRecord record(SimTables tables, SimTask task) {
    return new TaskRecord(
        task.id,
        task.state,
        task.failures,
        task.losses,
        task.attempts,
        task.changedMillis,
        task.reason,
        task.last == null ? null : tables.record(task.last));
  }

  @Override
  public List<TaskRecord> tasks(TaskQuery query) {
    SimTables tables = source.get();
    return tables.tasksOf(query.job()).tailMap(query.fromIndex()).values().stream()
        .filter(task -> query.states().isEmpty() || query.states().contains(task.state))
        .limit(query.limit())
        .map(task -> record(tables, task))
        .toList();
  }

  @Override
  public List<TaskRecord> tasks(JobId job, Collection<Integer> indexes, boolean withOutput) {
    SimTables tables = source.get();
    return tables.tasksOf(job).values().stream()
        .filter(task -> indexes.contains(task.id.index()))
        .map(task -> record(tables, task))
        .toList();
  }

  @Override
  public void forEachTask(JobId job, TaskFigures action) {
    throw notKept();
  }

  @Override
  public int failedThatRan(JobId job) {
    Set<TaskState> failed = Set.of(TaskState.FAILED);
    return (int)
        tasks(new TaskQuery(job, failed, 0, Integer.MAX_VALUE, false)).stream()
            .filter(task -> task.last() != null)
            .count();
  }

  @Override
  public void forEachAttempt(JobId job, TaskFigures.OfAttempts action) {
    throw notKept();
  }

  @Override
  public List<AttemptRecord> attempts(TaskId id) {
    SimTables tables = source.get();
    SimTask task = tables.find(id);
    if (task == null) {
      return List.of();
    }
    List<SimTask.Attempt> all = new ArrayList<>(task.ended.values());
    if (task.last != null) {
      all.removeIf(attempt -> attempt.token() == task.last.token());
      all.add(task.last);
    }
    if (task.state == TaskState.RUNNING) {
      all.addAll(task.copies.values());
    }
    all.sort(Comparator.comparingLong(SimTask.Attempt::token));
    return all.stream().map(tables::record).toList();
  }

  @Override
  public List<JobRecord> specifiedWith(
      String text, String other, @Nullable String user, int limit) {
    throw notKept();
  }

  @Override
  public Map<Long, Granted> granted(TaskId id) {
    throw notKept();
  }

  @Override
  public List<NodeRecord> nodes() {
    List<NodeRecord> all = new ArrayList<>();
    source
        .get()
        .nodes
        .forEach((node, agents) -> all.add(new NodeRecord(node, List.copyOf(agents.values()))));
    return all;
  }

  @Override
  public List<AvailabilityRecord> availability(long sinceMillis) {
    return source.get().availability.stream()
        .filter(change -> change.atMillis() >= sinceMillis)
        .map(change -> new AvailabilityRecord(change.node(), change.what(), change.atMillis()))
        .toList();
  }

  @Override
  public List<RunRecord> runs(JobId job, int limit) {
    throw notKept();
  }

  @Override
  public List<TaskId> unconfirmed(NodeId node, long sinceMillis, int limit) {
    throw notKept();
  }

  @Override
  public long[] settledTaskCounts() {
    throw notKept();
  }

  @Override
  public long[] settledTaskCounts(String user) {
    throw notKept();
  }

  @Override
  public List<JobRecord> settledBefore(long millis, @Nullable String user, int limit) {
    return source.get().jobs.values().stream()
        .map(SimTables.Job::record)
        .filter(job -> job.isSettled() && job.settledMillis() < millis)
        .filter(job -> user == null || job.project().user().equals(user))
        .sorted(Comparator.comparingLong(JobRecord::settledMillis))
        .limit(limit)
        .toList();
  }

  @Override
  public void forEachBlob(JobId job, BiConsumer<BlobId, Long> action) {}
}
