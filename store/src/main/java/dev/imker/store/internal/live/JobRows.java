package dev.imker.store.internal.live;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskState;
import dev.imker.model.change.Doubt;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Bind;
import dev.imker.store.internal.rows.Codes;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.internal.rows.JsonColumns;
import dev.imker.store.internal.rows.RowMappers;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.TaskKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads jobs and tasks for the live state: a whole job, or the touched rows. Everything read in one
 * transaction is from the same moment.
 */
public final class JobRows {
  private static final String JOBS =
      "SELECT "
          + RowMappers.JOB_COLUMNS
          + ", s.spec, COALESCE(l.limits, '')"
          + RowMappers.JOB_TABLES
          + "JOIN job_spec s ON s.job = j.id LEFT JOIN task_limit l ON l.job = CAST(j.id AS TEXT)"
          + " WHERE j.id ";
  private static final int SPEC_COLUMN = 22;
  private static final int LIMITS_COLUMN = 23;

  private static final String TASKS =
      """
      SELECT t.id, t.state, t.failures, t.losses, t.attempts, t.token, t.number, t.agent, t.node,
        t.leased_at, t.changed_at, COALESCE(t.reason, '')
      FROM task t\
      """;
  private static final String COPIES =
      "SELECT t.task, t.token, t.number, t.agent, t.node, t.leased_at FROM copy_lease t";
  private static final String GRANTED =
      Codes.sql(
          "SELECT t.token, t.amounts FROM granted t JOIN task k ON k.id = t.task"
              + " AND k.state = {task.RUNNING}");
  private static final String SUCCESSES =
      "SELECT "
          + RowMappers.ATTEMPT_COLUMNS
          + ", t.output, t.task FROM attempt t"
          + RowMappers.ATTEMPT_NAMES;
  private static final String SUCCEEDED = Codes.sql("t.outcome = {attempt.SUCCEEDED}");
  private static final int SUCCESS_TASK_COLUMN = 13;

  private final Dialect dialect;
  private final Map<Integer, AgentId> agents = new HashMap<>();
  private final Map<Integer, NodeId> nodes = new HashMap<>();
  private final Map<Long, Long> incarnations = new HashMap<>();

  public JobRows(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Names and epochs never change, so they are read only if one is unknown. */
  private void learn(Connection c) throws SQLException {
    Rows.forEach(
        c,
        row -> agents.put(row.getInt(1), new AgentId(row.getString(2))),
        "SELECT id, name FROM agent");
    Rows.forEach(
        c,
        row -> nodes.put(row.getInt(1), new NodeId(row.getString(2))),
        "SELECT id, name FROM node");
    Rows.forEach(
        c,
        row -> incarnations.put(row.getLong(1), row.getLong(2)),
        "SELECT epoch, incarnation FROM term");
  }

  /** Existing jobs with all data of their tasks, by id. */
  public Map<Long, JobImage> whole(Connection c, Collection<Long> ids) throws SQLException {
    Map<Long, JobImage> found = records(c, ids);
    TaskRanges all = new TaskRanges();
    for (long id : found.keySet()) {
      JobId job = new JobId(id);
      all.add(TaskKey.first(job), TaskKey.last(job));
    }
    tasks(c, found, all);
    return found;
  }

  /** Jobs without their tasks. */
  Map<Long, JobImage> records(Connection c, Collection<Long> ids) throws SQLException {
    Map<Long, JobImage> found = new HashMap<>();
    Rows.Sink sink =
        row -> {
          JobRecord job = RowMappers.job(row);
          found.put(
              job.id().value(),
              new JobImage(
                  job,
                  JsonColumns.spec(job.id(), row.getString(SPEC_COLUMN)),
                  row.getString(LIMITS_COLUMN)));
        };
    if (dialect.hasArrays() && !ids.isEmpty()) {
      Object array = c.createArrayOf("bigint", ids.toArray(new Long[0]));
      Rows.forEach(c, sink, JOBS + "= ANY (CAST(:ids AS BIGINT[]))", bind("ids", array));
    } else {
      for (long id : ids) {
        Rows.forEach(c, sink, JOBS + "= :id", bind("id", id));
      }
    }
    return found;
  }

  /** Reads the rows of tasks again, of those that belong to one of the jobs. */
  void tasks(Connection c, Map<Long, JobImage> jobs, TaskRanges ranges) throws SQLException {
    TaskRanges wanted = new TaskRanges();
    for (int i = 0; i < ranges.size(); i++) {
      JobImage job = jobs.get(job(ranges.first(i)));
      if (job != null) {
        wanted.add(ranges.first(i), ranges.last(i));
        job.clear(TaskKey.index(ranges.first(i)), TaskKey.index(ranges.last(i)));
      }
    }
    if (wanted.isEmpty()) {
      return;
    }
    Map<Long, Granted> granted = new HashMap<>();
    forEach(
        c,
        row -> granted.put(row.getLong(1), Granted.parse(row.getString(2))),
        GRANTED,
        "t.task",
        "",
        wanted);
    Map<Long, List<JobImage.OpenLease>> copies = new HashMap<>();
    forEach(
        c,
        row ->
            copies
                .computeIfAbsent(row.getLong(1), _ -> new ArrayList<>())
                .add(lease(c, row, 2, granted)),
        COPIES,
        "t.task",
        "",
        wanted);
    forEach(c, row -> take(c, row, jobs, granted, copies), TASKS, "t.id", "", wanted);
    successes(c, jobs, wanted);
  }

  private void take(
      Connection c,
      ResultSet row,
      Map<Long, JobImage> jobs,
      Map<Long, Granted> granted,
      Map<Long, List<JobImage.OpenLease>> copies)
      throws SQLException {
    long key = row.getLong(1);
    JobImage job = of(jobs, key);
    int index = TaskKey.index(key);
    TaskState state = Codes.state(row.getInt(2));
    job.task(
        index,
        state,
        row.getInt(3),
        row.getInt(4),
        row.getInt(5),
        row.getLong(11),
        !state.isSettled() && row.getString(12).startsWith(Doubt.REASON));
    if (state == TaskState.RUNNING) {
      job.lease(index, lease(c, row, 6, granted));
      copies.getOrDefault(key, List.of()).stream()
          .sorted((a, b) -> Long.compare(a.token().value(), b.token().value()))
          .forEach(copy -> job.lease(index, copy));
    }
  }

  /** Needed only for jobs with a quorum and for doubtful tasks. */
  private void successes(Connection c, Map<Long, JobImage> jobs, TaskRanges read)
      throws SQLException {
    TaskRanges wanted = new TaskRanges();
    for (int i = 0; i < read.size(); i++) {
      JobImage job = of(jobs, read.first(i));
      if (job.votes()) {
        wanted.add(read.first(i), read.last(i));
        continue;
      }
      long before = read.first(i) - TaskKey.index(read.first(i));
      int last = TaskKey.index(read.last(i));
      for (int task = job.nextDoubted(TaskKey.index(read.first(i)));
          task >= 0 && task <= last;
          task = job.nextDoubted(task + 1)) {
        wanted.add(before + task, before + task);
      }
    }
    if (wanted.isEmpty()) {
      return;
    }
    forEach(
        c,
        row -> {
          AttemptRecord attempt = RowMappers.attempt(row);
          long task = row.getLong(SUCCESS_TASK_COLUMN);
          of(jobs, task)
              .success(
                  new JobImage.Success(
                      attempt.token(), TaskKey.index(task), attempt.node(), attempt.report()));
        },
        SUCCESSES,
        "t.task",
        " AND " + SUCCEEDED,
        wanted);
  }

  /**
   * @param key column by which the ranges go
   */
  private void forEach(
      Connection c, Rows.Sink sink, String select, String key, String and, TaskRanges ranges)
      throws SQLException {
    if (!dialect.hasArrays()) {
      String each = " WHERE %s BETWEEN :first AND :last".formatted(key) + and;
      for (int i = 0; i < ranges.size(); i++) {
        Rows.forEach(
            c, sink, select + each, bind("first", ranges.first(i)), bind("last", ranges.last(i)));
      }
      return;
    }
    Long[] firsts = new Long[ranges.size()];
    Long[] lasts = new Long[ranges.size()];
    for (int i = 0; i < firsts.length; i++) {
      firsts[i] = ranges.first(i);
      lasts[i] = ranges.last(i);
    }
    Rows.forEach(
        c,
        sink,
        select
            + " JOIN unnest(CAST(:firsts AS BIGINT[]), CAST(:lasts AS BIGINT[])) AS r (lo, hi)"
            + " ON %s BETWEEN r.lo AND r.hi".formatted(key)
            + and,
        array(c, "firsts", firsts),
        array(c, "lasts", lasts));
  }

  private static Bind array(Connection c, String name, Long[] values) throws SQLException {
    return bind(name, c.createArrayOf("bigint", values));
  }

  private static long job(long key) {
    return TaskKey.task(key).job().value();
  }

  private static JobImage of(Map<Long, JobImage> jobs, long key) {
    JobImage job = jobs.get(job(key));
    if (job == null) {
      throw new IllegalStateException("a row that was not asked for: " + key);
    }
    return job;
  }

  private JobImage.OpenLease lease(
      Connection c, ResultSet row, int from, Map<Long, Granted> granted) throws SQLException {
    long token = row.getLong(from);
    long epoch = LeaseToken.epochOf(token);
    int agent = row.getInt(from + 2);
    int node = row.getInt(from + 3);
    if (!incarnations.containsKey(epoch)
        || !agents.containsKey(agent)
        || !nodes.containsKey(node)) {
      learn(c);
      incarnations.putIfAbsent(epoch, 0L); // of a version that drew none
    }
    return new JobImage.OpenLease(
        new LeaseToken(token, incarnations.getOrDefault(epoch, 0L)),
        row.getInt(from + 1),
        name(agents, agent),
        name(nodes, node),
        row.getLong(from + 4),
        granted.getOrDefault(token, Granted.ONE_CORE));
  }

  private static <T> T name(Map<Integer, T> names, int number) {
    @Nullable T name = names.get(number);
    if (name == null) {
      throw new StoreException("The database is damaged: no agent or node has number " + number);
    }
    return name;
  }
}
