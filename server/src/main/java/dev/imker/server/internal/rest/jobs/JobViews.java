package dev.imker.server.internal.rest.jobs;

import dev.imker.core.message.ExpectedEnd;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskState;
import dev.imker.model.job.JobSpec;
import dev.imker.server.commands.Await;
import dev.imker.server.gateway.TaskProgress;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.OwnWork;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.JobFilter;
import dev.imker.store.JobOrder;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks at jobs: what they are comes from disk, how far the live ones are comes from the loop. */
public record JobViews(
    SchedulerLoop loop, Reads reads, TaskProgress progress, SkippedTasks skipped) {
  public JobViews(SchedulerLoop loop, Reads reads, TaskProgress progress) {
    this(loop, reads, progress, new SkippedTasks(reads));
  }

  /** How often a page may be extended when most jobs of it do not fit its filter. */
  private static final int MAX_ROUNDS = 10;

  /** How many of the jobs that a job has spawned are named. */
  private static final int MAX_SPAWNED = 20;

  /** How many of them are counted, on the loop's thread. */
  private static final int MAX_COUNTED = 5_000;

  private record Connections(List<String> published, JobView.@Nullable Spawned spawned) {
    static final Connections NONE = new Connections(List.of(), null);
  }

  private record Live(int[] counts, int priority, @Nullable ExpectedEnd end) {}

  /**
   * A page of jobs.
   *
   * @param next the job before which the following one begins, in the usual order; null at the end
   * @param cursor the same in any order
   */
  public record Page(List<JobView> jobs, @Nullable Long next, @Nullable String cursor) {}

  public JobView require(JobId id) throws InterruptedException {
    return find(id, false).orElseThrow(() -> unknown(id));
  }

  /** A job as it was accepted, without waiting for the loop to finish what follows from it. */
  JobView accepted(JobId id) {
    JobRecord job = reads.job(id).orElseThrow(() -> unknown(id));
    return JobView.of(job, job.countsByState(), 0, job.priority(), null);
  }

  JobView requireWithSpec(JobId id) throws InterruptedException {
    return find(id, true).orElseThrow(() -> unknown(id));
  }

  public static ApiException unknown(JobId id) {
    return OwnWork.unknown(id);
  }

  private Optional<JobView> find(JobId id, boolean withSpec) throws InterruptedException {
    // The loop comes first: a job it no longer has is on disk as it ended.
    Map<JobId, Live> live = live(List.of(id));
    Optional<JobRecord> job = reads.job(id);
    JobSpec spec = withSpec ? reads.spec(id).orElse(null) : null;
    Connections others =
        withSpec ? Await.answer(loop.ask(pool -> connections(pool, id))) : Connections.NONE;
    return job.map(
        record -> view(record, live, spec).withConnections(others.published, others.spawned));
  }

  private static Connections connections(PoolState pool, JobId job) {
    return new Connections(
        published(pool, job), spawned(pool, pool.spawned().below(job, MAX_COUNTED)));
  }

  private static JobView.@Nullable Spawned spawned(PoolState pool, List<JobId> jobs) {
    long tasks = 0;
    long open = 0;
    for (JobId job : jobs) {
      int[] counts = pool.counts(job);
      for (TaskState state : TaskState.values()) {
        int count = counts == null ? 0 : counts[state.ordinal()];
        tasks += count;
        open += state.isSettled() ? 0 : count;
      }
    }
    List<Long> first = jobs.stream().limit(MAX_SPAWNED).map(JobId::value).toList();
    return jobs.isEmpty() ? null : new JobView.Spawned(jobs.size(), first, tasks, open);
  }

  private static List<String> published(PoolState pool, JobId job) {
    return pool.published().by(job).stream().map(version -> version.data().toString()).toList();
  }

  /** Views of those jobs that exist. */
  public List<JobView> all(Collection<JobId> ids) throws InterruptedException {
    Map<JobId, Live> live = live(ids);
    List<JobView> views = new ArrayList<>();
    for (JobId id : ids) {
      reads.job(id).ifPresent(job -> views.add(view(job, live, null)));
    }
    return views;
  }

  Page page(JobFilter filter, JobOrder order, JobOrder.@Nullable Place after, int limit)
      throws InterruptedException {
    List<JobView> views = new ArrayList<>();
    JobOrder.Place from = after;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      List<JobRecord> records = reads.jobs(filter, order, from, limit);
      List<JobView> refreshed = refresh(records);
      for (int i = 0; i < records.size() && views.size() < limit; i++) {
        from = order.placeOf(records.get(i));
        if (fits(filter, refreshed.get(i))) {
          views.add(refreshed.get(i));
        }
      }
      if (records.size() < limit) {
        return new Page(views, null, null);
      }
      if (views.size() >= limit) {
        break;
      }
    }
    return from == null
        ? new Page(views, null, null)
        : new Page(
            views, order.equals(JobOrder.NEWEST) ? from.id().value() : null, order.text(from));
  }

  private static boolean fits(JobFilter filter, JobView view) {
    return filter.statuses().isEmpty()
        || filter.statuses().contains(JobStatus.valueOf(view.status()));
  }

  /** Records were read before the loop was asked: one that has settled since is read again. */
  private List<JobView> refresh(List<JobRecord> records) throws InterruptedException {
    Map<JobId, Live> live =
        live(records.stream().filter(job -> !job.isSettled()).map(JobRecord::id).toList());
    List<JobView> views = new ArrayList<>(records.size());
    for (JobRecord job : records) {
      boolean settledMeanwhile = !job.isSettled() && isOver(live.get(job.id()));
      JobRecord current = settledMeanwhile ? reads.job(job.id()).orElse(job) : job;
      views.add(view(current, live, null));
    }
    return views;
  }

  private static boolean isOver(@Nullable Live live) {
    return live == null || JobStatus.of(live.counts).isSettled();
  }

  private Map<JobId, Live> live(Collection<JobId> ids) throws InterruptedException {
    return ids.isEmpty()
        ? Map.of()
        : Await.answer(loop.askAt((pool, nowMillis) -> live(pool, nowMillis, ids)));
  }

  private static Map<JobId, Live> live(PoolState pool, long nowMillis, Collection<JobId> ids) {
    Map<JobId, Live> result = new HashMap<>();
    for (JobId id : ids) {
      int[] counts = pool.counts(id);
      if (counts != null) {
        result.put(
            id,
            new Live(
                counts.clone(),
                pool.priority(id),
                pool.scheduler().view().expectedEnd(id, nowMillis)));
      }
    }
    return result;
  }

  private JobView view(JobRecord job, Map<JobId, Live> live, @Nullable JobSpec spec) {
    Live current = live.get(job.id());
    int[] counts = current == null ? job.countsByState() : current.counts;
    int priority = current == null ? job.priority() : current.priority;
    long never =
        skipped.of(job.id(), counts[TaskState.FAILED.ordinal()], JobStatus.of(counts).isSettled());
    JobView view = JobView.of(job, counts, never, priority, spec);
    return current == null ? view : view.withProgress(progress, current.end);
  }
}
