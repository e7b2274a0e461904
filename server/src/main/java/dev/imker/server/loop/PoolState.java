package dev.imker.server.loop;

import dev.imker.core.Scheduler;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.message.StageHeader;
import dev.imker.core.strategy.Strategy;
import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.SpecChanged;
import dev.imker.model.job.JobSpec;
import dev.imker.server.live.ForeignPredecessors;
import dev.imker.server.live.JobNumbers;
import dev.imker.server.live.JobOrders;
import dev.imker.server.live.LiveJob;
import dev.imker.server.live.LostTerms;
import dev.imker.server.live.NotInMemoryException;
import dev.imker.server.live.PoolAccounts;
import dev.imker.server.live.PoolResources;
import dev.imker.server.live.ProfileKeeper;
import dev.imker.server.live.PublishedData;
import dev.imker.server.live.ReadJobs;
import dev.imker.server.live.RecalledJob;
import dev.imker.server.live.Removal;
import dev.imker.server.live.RemovedTasks;
import dev.imker.server.live.shared.SharedRuns;
import dev.imker.server.live.shared.SharedThings;
import dev.imker.server.live.standing.PoolAgents;
import dev.imker.server.loop.follow.LiveSource;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The live state: the scheduler and the jobs it knows. Belongs to the loop's thread. */
public final class PoolState {
  /** Settled jobs that stay in memory for a while, so that late reports are still understood. */
  private static final int SETTLED_JOBS_KEPT = 256;

  private static final int SETTLED_TASKS_KEPT = 100_000;

  private final Scheduler scheduler;
  private final long epoch;
  private final long incarnation;
  private final ProfileKeeper profiles;
  private final PoolAgents agents;
  private final PoolResources resources;
  private final PoolAccounts accounts;
  private String strategy;
  private final Map<JobId, LiveJob> jobs = new HashMap<>();
  private final Map<String, JobId> byRequestKey = new HashMap<>();
  private final SpawnedJobs spawned = new SpawnedJobs();
  private final LinkedHashSet<JobId> settled = new LinkedHashSet<>();
  private final Set<JobId> settledOnDisk = new HashSet<>();
  private final ForeignPredecessors waiting = new ForeignPredecessors();
  private final PublishedData published;
  private final ReadJobs read;
  private final RemovedTasks leftovers = new RemovedTasks();
  private final JobOrders orders = new JobOrders();
  private final JobNumbers numbers;
  private final SharedThings shared;
  private long settledTasks;

  private PoolState(SchedulerSettings settings, long epoch, PoolStore store) {
    strategy = StrategySetting.kept(store);
    Map<Long, Long> incarnations = store.incarnations();
    incarnation = incarnations.getOrDefault(epoch, 0L);
    scheduler = new Scheduler(settings, Strategies.parse(strategy), epoch, incarnation, epoch);
    profiles = new ProfileKeeper(scheduler);
    resources = new PoolResources(store::settings);
    published = new PublishedData(store::settings);
    scheduler.onPoolResources(resources.all());
    this.epoch = epoch;
    read = new ReadJobs(epoch);
    numbers = new JobNumbers(store.lastJobId());
    accounts = new PoolAccounts(scheduler, store.accounts().accounts());
    agents = new PoolAgents(scheduler, accounts, new LostTerms(epoch, incarnations), store);
    shared = new SharedThings(epoch, new SharedRuns(scheduler, jobs), store::setting);
  }

  /**
   * Builds the state from what is on disk.
   *
   * @param source where jobs, tasks and profiles are taken from
   */
  static PoolState restore(
      SchedulerSettings settings, long epoch, PoolStore store, LiveSource source, long nowMillis) {
    PoolState state = new PoolState(settings, epoch, store);
    store.removedJobs().forEach(state.leftovers::add);
    state.orders.restore(store);
    Restoring restoring = new Restoring(state, source::limits);
    source.load(restoring);
    state.loadBefore(source, restoring);
    state.scheduler.recovery().complete(nowMillis);
    store.loadShared(state.shared::put, state.shared::put);
    return state;
  }

  /** Tasks may wait for those of jobs that are settled. */
  private void loadBefore(LiveSource source, Restoring restoring) {
    for (JobId before : waiting.all()) {
      if (!jobs.containsKey(before) && source.load(before, restoring)) {
        settled(before);
      }
    }
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  ProfileKeeper profiles() {
    return profiles;
  }

  /** What is known of agents and their nodes. */
  public PoolAgents agents() {
    return agents;
  }

  /** The strategy as it was chosen, in the words of {@link Strategies#parse}. */
  public String strategy() {
    return strategy;
  }

  void strategy(String text, Strategy next) {
    strategy = text;
    scheduler.setStrategy(next);
  }

  public long epoch() {
    return epoch;
  }

  /** Of this server's epoch: what tells it from another one that began the same epoch. */
  public long incarnation() {
    return incarnation;
  }

  public @Nullable LiveJob job(JobId id) {
    return jobs.get(id);
  }

  public int jobCount() {
    return jobs.size();
  }

  /** Counts by state of a job in memory. */
  public int @Nullable [] counts(JobId id) {
    return jobs.containsKey(id) ? scheduler.view().counts(id) : null;
  }

  /** The present priority of a job in memory. */
  public int priority(JobId id) {
    return Objects.requireNonNull(scheduler.view().job(id)).priority();
  }

  /** Tasks of jobs that are not settled, by state. */
  public long[] openTaskCounts() {
    int[] totals = scheduler.view().totals();
    long[] open = new long[totals.length];
    for (int i = 0; i < totals.length; i++) {
      open[i] = totals[i];
    }
    for (JobId id : settled) {
      int[] counts = counts(id);
      if (counts != null && JobStatus.of(counts).isSettled()) {
        for (int i = 0; i < counts.length; i++) {
          open[i] -= counts[i];
        }
      }
    }
    return open;
  }

  /** Amounts that exist once for all machines. */
  public PoolResources resources() {
    return resources;
  }

  /**
   * An admin said how much of something exists once for all machines.
   *
   * @param amount 0: nothing any more
   */
  public void applyResource(String name, double amount, Outbox out) {
    out.change(resources.put(name, amount));
    scheduler.onPoolResources(resources.all());
  }

  /** Tasks of a user's jobs that are not settled, by state. */
  public long[] openTaskCounts(String user) {
    long[] open = new long[TaskState.values().length];
    for (LiveJob job : jobs.values()) {
      int[] counts = job.user().equals(user) ? scheduler.view().counts(job.id()) : null;
      if (counts != null && !JobStatus.of(counts).isSettled()) {
        for (int i = 0; i < counts.length; i++) {
          open[i] += counts[i];
        }
      }
    }
    return open;
  }

  /** How many tasks of a user are not settled. */
  public long liveTasks(String user) {
    return scheduler.view().liveTasks(user);
  }

  public Optional<JobId> byRequestKey(String key) {
    return key.isEmpty() ? Optional.empty() : Optional.ofNullable(byRequestKey.get(key));
  }

  public JobNumbers numbers() {
    return numbers;
  }

  /** What was read of jobs that are not in memory. */
  public ReadJobs read() {
    return read;
  }

  /** What running tasks share. */
  public SharedThings shared() {
    return shared;
  }

  PoolAccounts accounts() {
    return accounts;
  }

  /** Jobs that running tasks spawned. */
  public SpawnedJobs spawned() {
    return spawned;
  }

  /** Results that stages have published. */
  public PublishedData published() {
    return published;
  }

  /**
   * Publishes the results of stages in the transaction in which the last of their tasks is done,
   * and tells those who wait for them.
   *
   * @param touched jobs in which something happened
   */
  void publish(Collection<JobId> touched, long nowMillis, Outbox out) {
    boolean any = false;
    for (JobId id : published.publishing(touched)) {
      LiveJob job = jobs.get(id);
      List<SettingPut> puts =
          job == null
              ? List.of()
              : published.publish(
                  job, index -> scheduler.view().state(new TaskId(id, index)) == TaskState.DONE);
      puts.forEach(out::change);
      any |= !puts.isEmpty();
    }
    if (any) {
      published.waiting().forEach(id -> tellPublished(id, nowMillis, out));
    }
  }

  private void tellPublished(JobId id, long nowMillis, Outbox out) {
    LiveJob job = jobs.get(id);
    JobHeader header = scheduler.view().job(id);
    if (job == null || header == null) {
      return;
    }
    JobSpec spec = published.resolve(job.user(), job.spec());
    if (!spec.equals(job.spec())) {
      out.change(new SpecChanged(id, spec));
      List<StageHeader> stages = published.headers(job.user(), job.spec(), header.stages());
      scheduler.onPublished(nowMillis, id, stages, out);
      replace(job.changed(spec));
    }
  }

  public void add(LiveJob job) {
    jobs.put(job.id(), job);
    waiting.add(job);
    published.add(job);
    spawned.add(job);
    if (!job.requestKey().isEmpty()) {
      byRequestKey.put(job.requestKey(), job.id());
    }
  }

  /** Puts a job with changed limits or predecessors in the place of the former. */
  public void replace(LiveJob job) {
    LiveJob former = jobs.put(job.id(), job);
    if (former != null) {
      waiting.remove(former);
      published.forget(job.id());
    }
    waiting.add(job);
    published.add(job);
  }

  /**
   * Brings a settled job back if it is no longer in memory; false if there is none. To be called
   * before anything is changed.
   *
   * @throws NotInMemoryException if it has to be read first
   */
  public boolean recall(JobId id, long nowMillis) {
    if (jobs.containsKey(id)) {
      return true;
    }
    RecalledJob recalled = read.get(id, true);
    if (recalled.record().isEmpty()) {
      return false;
    }
    recalled.tell(new Restoring(this, _ -> recalled.limits()));
    scheduler.recovery().complete(nowMillis);
    settled(id);
    return true;
  }

  /** Brings back the jobs that tasks of this one wait for, so that they can be told from it. */
  public void recallBefore(JobId id, long nowMillis) {
    JobHeader header = scheduler.view().job(id);
    if (header != null) {
      JobHeader.before(header.stages()).forEach(before -> recall(before, nowMillis));
    }
  }

  /** Whether a job in memory was settled when the last turn was written. */
  boolean isToldSettled(JobId id) {
    return settledOnDisk.contains(id);
  }

  /** A job in memory is settled on disk. */
  void readSettled(JobId id) {
    settledOnDisk.add(id);
  }

  /** What was written of a job as a whole. */
  void written(JobChanged change) {
    if (change.settledMillis() == JobChanged.OPEN) {
      settledOnDisk.remove(change.job());
    } else if (jobs.containsKey(change.job())) {
      settledOnDisk.add(change.job());
    }
  }

  /** A job settled; see {@link #forgetOldest}. */
  void settled(JobId id) {
    if (settled.add(id)) {
      settledTasks += tasks(id);
    }
  }

  /** Forgets the oldest of the settled jobs if there are too many; between two turns only. */
  void forgetOldest() {
    read.turnWritten();
    Iterator<JobId> oldest = settled.iterator();
    while (oldest.hasNext()
        && (settled.size() > SETTLED_JOBS_KEPT || settledTasks > SETTLED_TASKS_KEPT)) {
      JobId job = oldest.next();
      if (!orders.hasAny(job)) {
        oldest.remove();
        forget(job);
      }
    }
  }

  /** What is done with jobs in several turns. A job is neither forgotten nor removed meanwhile. */
  public JobOrders orders() {
    return orders;
  }

  RemovedTasks leftovers() {
    return leftovers;
  }

  /**
   * Removes a settled job that nothing needs.
   *
   * @throws NotInMemoryException if its record has to be read first
   */
  public Removal remove(JobId id, Outbox out) {
    Removal removal = removal(id);
    if (!removal.isDone()) {
      return removal;
    }
    int tasks = taskCount(id);
    if (counts(id) != null) {
      settled(id);
      settled.remove(id);
      forget(id);
    }
    if (jobs.containsKey(id)) {
      return new Removal.NotFinished();
    }
    read.gone(id);
    boolean later = RemovedTasks.areMany(tasks);
    if (later) {
      leftovers.add(id, tasks);
    }
    out.change(new JobRemoved(id, later ? tasks : 0));
    published.removed(id).forEach(out::change);
    out.jobTouched(id);
    return removal;
  }

  /**
   * What would come of removing a job; changes nothing.
   *
   * @throws NotInMemoryException if its record has to be read first
   */
  public Removal removal(JobId id) {
    int[] counts = counts(id);
    boolean finished = counts == null ? read.isSettled(id) : JobStatus.of(counts).isSettled();
    if (!finished || orders.hasAny(id)) {
      return new Removal.NotFinished();
    }
    JobId dependant = dependant(id);
    if (dependant != null) {
      return new Removal.NeededBy(dependant);
    }
    return new Removal.Removed();
  }

  private int taskCount(JobId id) {
    int[] counts = counts(id);
    return counts == null
        ? read.get(id, false).record().map(JobRecord::taskCount).orElse(0)
        : Arrays.stream(counts).sum();
  }

  /** A job that is not settled whose tasks wait for this one or take its results. */
  private @Nullable JobId dependant(JobId id) {
    for (JobId job : waiting.of(id)) {
      int[] counts = scheduler.view().counts(job);
      if (counts != null && !JobStatus.of(counts).isSettled()) {
        return job;
      }
    }
    return null;
  }

  private long tasks(JobId id) {
    LiveJob job = jobs.get(id);
    return job == null ? 0 : job.spec().taskCount();
  }

  private void forget(JobId id) {
    settledTasks -= tasks(id);
    LiveJob job = jobs.get(id);
    if (job != null && scheduler.forget(id)) {
      jobs.remove(id);
      settledOnDisk.remove(id);
      waiting.remove(job);
      published.forget(id);
      read.left(id);
      byRequestKey.remove(job.requestKey());
      spawned.remove(job);
    }
  }
}
