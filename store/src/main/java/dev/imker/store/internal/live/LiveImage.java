package dev.imker.store.internal.live;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.RecoverySink;
import dev.imker.store.internal.rows.Codes;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.internal.rows.Rows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The live state in the database at one moment: all open jobs, settled jobs on which tasks of open
 * ones depend, and the data of nodes, projects and strategies. It moves to a later moment by
 * reading again what was touched in between.
 */
public final class LiveImage {
  private static final String OPEN_JOBS =
      Codes.sql("SELECT id FROM job WHERE status = {job.OPEN} ORDER BY id");
  private static final String NODE_PROFILES =
      "SELECT n.id, n.name, p.profile FROM node_profile p JOIN node n ON n.id = p.node";
  private static final String PROJECT_PROFILES =
      """
      SELECT j.id, u.name, j.name, p.profile FROM project_profile p
      JOIN project j ON j.id = p.project JOIN pool_user u ON u.id = j.pool_user\
      """;
  private static final String MEMORIES = "SELECT strategy, subject, memory FROM strategy_memory";

  /** The number of jobs read at once. */
  private static final int JOBS_AT_ONCE = 64;

  private static final int STATES = TaskState.values().length;

  private record NodeProfile(NodeId node, String json) {}

  private record ProjectProfile(ProjectId project, String json) {}

  private final JobRows rows = new JobRows(Dialect.POSTGRESQL);
  private final TreeMap<Long, JobImage> jobs = new TreeMap<>();

  /** How many open jobs depend on tasks of a job. */
  private final Map<Long, Integer> waitedFor = new HashMap<>();

  /** The newest job ever known. */
  private long newest;

  /** Since somebody asked. */
  private PoolStore.Ended ended = PoolStore.Ended.NONE;

  private final TreeMap<Integer, NodeProfile> nodes = new TreeMap<>();
  private final TreeMap<Integer, ProjectProfile> projects = new TreeMap<>();
  private final TreeMap<String, Map<String, String>> memories = new TreeMap<>();

  /** Reads everything, in one transaction. */
  public static LiveImage read(Connection c) throws SQLException {
    LiveImage image = new LiveImage();
    Rows.forEach(c, image::node, NODE_PROFILES);
    Rows.forEach(c, image::project, PROJECT_PROFILES);
    Rows.forEach(c, image::memory, MEMORIES);
    image.add(c, Rows.list(c, row -> row.getLong(1), OPEN_JOBS));
    image.addWaitedFor(c);
    image.newest = image.jobs.isEmpty() ? 0 : image.jobs.lastKey();
    return image;
  }

  /** Reads the touched rows again, as of this transaction. */
  public void refresh(Connection c, Touched touched) throws SQLException {
    Set<Long> again = new TreeSet<>();
    if (!touched.jobs.isEmpty()) {
      Map<Long, JobImage> found = rows.records(c, touched.jobs);
      for (long id : touched.jobs) {
        record(id, found.get(id), again);
      }
    }
    TaskRanges tasks = touched.tasks.sorted();
    rows.tasks(c, jobs, tasks);
    add(c, List.copyOf(again));
    if (!touched.jobs.isEmpty()) {
      addWaitedFor(c);
      jobs.values().removeIf(job -> job.record().isSettled() && !isWaitedFor(job));
    }
    for (NodeId node : touched.nodes) {
      Rows.forEach(
          c, this::node, NODE_PROFILES + " WHERE n.name = :name", bind("name", node.value()));
    }
    for (ProjectId project : touched.projects) {
      Rows.forEach(
          c,
          this::project,
          PROJECT_PROFILES + " WHERE u.name = :user AND j.name = :name",
          bind("user", project.user()),
          bind("name", project.name()));
    }
    for (Touched.Memory memory : touched.memories) {
      Rows.forEach(
          c,
          this::memory,
          MEMORIES + " WHERE strategy = :strategy AND subject = :subject",
          bind("strategy", memory.strategy()),
          bind("subject", memory.subject()));
    }
  }

  private void node(ResultSet row) throws SQLException {
    nodes.put(row.getInt(1), new NodeProfile(new NodeId(row.getString(2)), row.getString(3)));
  }

  private void project(ResultSet row) throws SQLException {
    projects.put(
        row.getInt(1),
        new ProjectProfile(new ProjectId(row.getString(2), row.getString(3)), row.getString(4)));
  }

  private void memory(ResultSet row) throws SQLException {
    memories
        .computeIfAbsent(row.getString(1), _ -> new TreeMap<>())
        .put(row.getString(2), row.getString(3));
  }

  // ---------------------------------------------------------------- jobs

  /**
   * @param newer what is known of the job as a whole now; null if it is gone
   * @param again gets the job if its tasks are to be read
   */
  private void record(long id, @Nullable JobImage newer, Set<Long> again) {
    JobImage known = jobs.get(id);
    if (newer != null && (known != null || id > newest)) {
      count(known == null ? new int[STATES] : known.record().countsByState(), newer.record());
    }
    newest = Math.max(newest, id);
    if (known != null) {
      waitNoMore(known);
    }
    if (newer == null) {
      jobs.remove(id);
    } else if (known == null) {
      if (!newer.record().isSettled() || isWaitedFor(newer)) {
        again.add(id);
      }
    } else {
      if (!known.adopt(newer)) {
        again.add(id);
      }
      wait(known);
    }
  }

  private void count(int[] before, JobRecord now) {
    int[] counts = now.countsByState();
    int done = grown(before, counts, TaskState.DONE);
    int failed =
        grown(before, counts, TaskState.FAILED) + grown(before, counts, TaskState.AUTO_BLOCKED);
    ended = ended.and(new PoolStore.Ended(done, failed));
  }

  private static int grown(int[] before, int[] now, TaskState state) {
    return Math.max(0, now[state.ordinal()] - before[state.ordinal()]);
  }

  /** How many tasks ended since the last call. */
  public PoolStore.Ended takeEnded() {
    PoolStore.Ended taken = ended;
    ended = PoolStore.Ended.NONE;
    return taken;
  }

  private void add(Connection c, List<Long> ids) throws SQLException {
    for (int from = 0; from < ids.size(); from += JOBS_AT_ONCE) {
      List<Long> some = ids.subList(from, Math.min(ids.size(), from + JOBS_AT_ONCE));
      rows.whole(c, some).forEach(this::put);
    }
  }

  private void put(long id, JobImage job) {
    JobImage known = jobs.put(id, job);
    if (known != null) {
      waitNoMore(known);
    }
    wait(job);
  }

  private void wait(JobImage job) {
    if (!job.record().isSettled()) {
      job.before().forEach(before -> waitedFor.merge(before.value(), 1, Integer::sum));
    }
  }

  private void waitNoMore(JobImage job) {
    if (!job.record().isSettled()) {
      job.before()
          .forEach(
              before -> waitedFor.computeIfPresent(before.value(), (_, n) -> n > 1 ? n - 1 : null));
    }
  }

  private boolean isWaitedFor(JobImage job) {
    return waitedFor.containsKey(job.record().id().value());
  }

  /** Removed jobs are looked up again in vain, which costs little. */
  private void addWaitedFor(Connection c) throws SQLException {
    add(c, waitedFor.keySet().stream().filter(id -> !jobs.containsKey(id)).toList());
  }

  // ---------------------------------------------------------------- telling

  /** Passes on what the database would tell the recovery at that moment. */
  public void tell(RecoverySink recovery) {
    nodes.values().forEach(profile -> recovery.nodeProfile(profile.node, profile.json));
    projects.values().forEach(profile -> recovery.projectProfile(profile.project, profile.json));
    memories.forEach(
        (strategy, subjects) ->
            subjects.forEach(
                (subject, memory) -> recovery.strategyMemory(strategy, subject, memory)));
    for (JobImage job : jobs.values()) {
      if (!job.record().isSettled()) {
        job.tell(recovery);
      }
    }
  }

  /** An open job, or one on which an open job depends; false for any other. */
  public boolean tell(JobId id, RecoverySink recovery) {
    JobImage job = jobs.get(id.value());
    if (job != null) {
      job.tell(recovery);
    }
    return job != null;
  }

  /** What single tasks of such a job have of their own, as it is kept. */
  public String limits(JobId id) {
    JobImage job = jobs.get(id.value());
    return job == null ? "" : job.limits();
  }

  public int jobCount() {
    return jobs.size();
  }

  public long taskCount() {
    return jobs.values().stream().mapToLong(job -> job.record().taskCount()).sum();
  }

  /** A checksum of all data of each job, node and project. */
  public static final class Sums {
    private final Told told = new Told();

    /** The subjects that differ between the two. */
    public List<String> differences(Sums other) {
      return told.differences(other.told).stream().map(Told.Subject::name).toList();
    }
  }

  public Sums sums() {
    Sums sums = new Sums();
    tell(sums.told);
    for (JobImage job : jobs.values()) {
      if (job.record().isSettled()) {
        job.tell(sums.told);
      }
      sums.told.limits(job.record().id(), job.limits());
    }
    return sums;
  }

  /** Describes the differences from another one; empty if there are none. */
  public List<String> differences(LiveImage other) {
    List<String> words = new ArrayList<>();
    for (Told.Subject subject : sums().told.differences(other.sums().told)) {
      JobId job = subject.job();
      words.addAll(
          job == null
              ? List.of(subject.name() + " is known otherwise than the database has it")
              : ToldWords.differences(job, words(job), other.words(job)));
    }
    return words;
  }

  private ToldWords words(JobId id) {
    ToldWords words = new ToldWords();
    JobImage job = jobs.get(id.value());
    if (job != null) {
      job.tell(words);
      words.limits(job.limits());
    }
    return words;
  }
}
