package dev.imker.store.internal.read;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.Availability;
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
import dev.imker.store.internal.rows.Bind;
import dev.imker.store.internal.rows.Codes;
import dev.imker.store.internal.rows.JsonColumns;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.ReportCodec;
import dev.imker.store.internal.rows.RowMappers;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.TaskKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The queries, as SQL that SQLite and PostgreSQL both understand. */
public record SqlReads(ReadConnections connections) implements Reads {
  private static final String SELECT_JOB =
      "SELECT " + RowMappers.JOB_COLUMNS + RowMappers.JOB_TABLES;
  private static final String SELECT_ATTEMPTS =
      "SELECT "
          + RowMappers.ATTEMPT_COLUMNS
          + ", t.output FROM ("
          + "SELECT token, number, agent, node, leased_at, outcome, exit_code, started_at,"
          + " ended_at, report, output FROM attempt WHERE task = :task"
          // An attempt that was lost and continued when its agent came back is in the task's row.
          + " AND NOT EXISTS (SELECT 1 FROM task r WHERE r.id = attempt.task"
          + " AND r.token = attempt.token)"
          + " UNION ALL SELECT token, number, agent, node, leased_at, outcome, exit_code,"
          + " started_at, ended_at, report, output FROM task WHERE id = :task AND token IS NOT NULL"
          + " UNION ALL SELECT token, number, agent, node, leased_at, NULL, NULL, NULL, NULL,"
          + " NULL, NULL FROM copy_lease WHERE task = :task) t"
          + RowMappers.ATTEMPT_NAMES
          + "ORDER BY t.token";
  private static final String SELECT_UNCONFIRMED =
      """
      SELECT t.id FROM job j
      JOIN task t ON t.id >= j.id * 16777216 AND t.id < (j.id + 1) * 16777216
      WHERE (j.status = 0 OR j.settled_at >= :since) AND t.state = 3 AND t.outcome = 0
        AND t.node = (SELECT n.id FROM node n WHERE n.name = :node)
        AND NOT EXISTS (SELECT 1 FROM attempt a
          WHERE a.task = t.id AND a.outcome = 0 AND a.token <> t.token)
      ORDER BY t.changed_at DESC LIMIT :limit
      """;
  private static final String SELECT_AGENTS =
      """
      SELECT n.name, a.name, a.title, a.version, a.platform, a.slots, a.connected, a.seen_at
      FROM agent a JOIN node n ON n.id = a.node ORDER BY n.id, a.id
      """;
  private static final String SUM_SETTLED =
      Codes.sql(
          """
          SELECT SUM(waiting), SUM(ready), SUM(running), SUM(done), SUM(failed), SUM(blocked),
            SUM(auto_blocked), SUM(cancelled)
          FROM job WHERE status <> {job.OPEN}
          """);

  private static final String REPORTS =
      "SELECT report FROM %s WHERE %s BETWEEN :first AND :last AND report IS NOT NULL";

  /** Names are looked for among this many newest jobs per name asked for. */
  private static final int JOBS_PER_NAME = 20;

  @Override
  public Optional<JobRecord> job(JobId id) {
    return firstJob("WHERE j.id = :id", bind("id", id.value()));
  }

  @Override
  public Optional<JobSpec> spec(JobId id) {
    String sql = "SELECT spec FROM job_spec WHERE job = :job";
    return connections
        .read(c -> Rows.first(c, row -> row.getString(1), sql, bind("job", id.value())))
        .map(json -> JsonColumns.spec(id, json));
  }

  @Override
  public Optional<JobRecord> newestByName(String name) {
    return firstJob("WHERE j.name = :name ORDER BY j.id DESC LIMIT 1", bind("name", name));
  }

  @Override
  public Optional<JobRecord> newestByName(String name, String user) {
    String sql = SELECT_JOB + "WHERE j.name = :name AND u.name = :user ORDER BY j.id DESC LIMIT 1";
    return connections.read(
        c -> Rows.first(c, RowMappers::job, sql, bind("name", name), bind("user", user)));
  }

  @Override
  public List<JobRecord> specifiedWith(
      String text, String other, @Nullable String user, int limit) {
    String sql =
        SELECT_JOB
            + "JOIN job_spec s ON s.job = j.id WHERE s.spec LIKE :text ESCAPE '!' AND s.spec LIKE"
            + " :other ESCAPE '!' AND (:user = '' OR u.name = :user) ORDER BY j.id DESC LIMIT"
            + " :limit";
    return connections.read(
        c ->
            Rows.list(
                c,
                RowMappers::job,
                sql,
                bind("text", contains(text)),
                bind("other", contains(other)),
                bind("user", user == null ? "" : user),
                bind("limit", limit)));
  }

  /** A LIKE pattern for texts that contain this one as a JSON string. */
  private static String contains(String text) {
    String json = JsonColumns.text(text);
    return "%" + json.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%";
  }

  @Override
  public Optional<JobRecord> byRequestKey(String requestKey) {
    return firstJob("WHERE j.request_key = :request_key", bind("request_key", requestKey));
  }

  @Override
  public List<JobRecord> jobs(JobFilter filter, @Nullable JobId before, int limit) {
    return jobs(
        filter,
        JobOrder.NEWEST,
        before == null ? null : new JobOrder.Place(before.value(), before),
        limit);
  }

  @Override
  public List<JobRecord> jobs(
      JobFilter filter, JobOrder order, JobOrder.@Nullable Place after, int limit) {
    Conditions conditions = new Conditions();
    if (after != null) {
      Bind id = bind("id", after.id().value());
      conditions.and(
          order.after(),
          order.key() == JobOrder.Key.ID
              ? new Bind[] {id}
              : new Bind[] {bind("place", after.value()), id});
    }
    if (filter.name() != null) {
      and(conditions, filter.name());
    }
    if (filter.project() != null) {
      conditions.and(
          "j.project IN (SELECT id FROM project WHERE name = :project)",
          bind("project", filter.project()));
    }
    if (filter.user() != null) {
      conditions.and(
          "j.pool_user = (SELECT id FROM pool_user WHERE name = :user)",
          bind("user", filter.user()));
    }
    if (!filter.statuses().isEmpty()) {
      conditions.and("j.status IN (" + codes(filter) + ")");
    }
    String sql = SELECT_JOB + conditions.where() + order.orderBy() + " LIMIT :limit";
    Bind[] binds = conditions.bindsAnd(bind("limit", limit));
    return connections.read(c -> Rows.list(c, RowMappers::job, sql, binds));
  }

  private static void and(Conditions conditions, String name) {
    if (name.indexOf('*') < 0 && name.indexOf('?') < 0) {
      conditions.and("j.name = :name", bind("name", name));
      return;
    }
    String plain = name.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    String pattern = plain.replace('*', '%').replace('?', '_');
    conditions.and("j.name LIKE :pattern ESCAPE '!'", bind("pattern", pattern));
  }

  private static String codes(JobFilter filter) {
    return filter.statuses().stream()
        .map(Codes::status)
        .distinct()
        .map(String::valueOf)
        .collect(Collectors.joining(", "));
  }

  @Override
  public List<String> recentNames(int limit) {
    String sql =
        "SELECT name FROM (SELECT id, name FROM job ORDER BY id DESC LIMIT :jobs) newest"
            + " GROUP BY name ORDER BY MAX(id) DESC LIMIT :limit";
    long jobs = (long) limit * JOBS_PER_NAME;
    return connections.read(
        c -> Rows.list(c, row -> row.getString(1), sql, bind("jobs", jobs), bind("limit", limit)));
  }

  @Override
  public List<String> recentNames(int limit, String user) {
    String sql =
        "SELECT name FROM (SELECT id, name FROM job WHERE pool_user ="
            + " (SELECT id FROM pool_user WHERE name = :user) ORDER BY id DESC LIMIT :jobs) newest"
            + " GROUP BY name ORDER BY MAX(id) DESC LIMIT :limit";
    long jobs = (long) limit * JOBS_PER_NAME;
    return connections.read(
        c ->
            Rows.list(
                c,
                row -> row.getString(1),
                sql,
                bind("user", user),
                bind("jobs", jobs),
                bind("limit", limit)));
  }

  @Override
  public Optional<TaskRecord> task(TaskId id) {
    return tasks(id.job(), List.of(id.index()), true).stream().findFirst();
  }

  @Override
  public List<TaskRecord> tasks(TaskQuery query) {
    return new TaskListing(connections).page(query);
  }

  @Override
  public List<TaskRecord> tasks(JobId job, Collection<Integer> indexes, boolean withOutput) {
    return new TaskListing(connections).at(job, indexes, withOutput);
  }

  @Override
  public int failedThatRan(JobId job) {
    return new TaskListing(connections).countRan(job, TaskState.FAILED);
  }

  @Override
  public void forEachTask(JobId job, TaskFigures action) {
    new TaskListing(connections).forEach(job, action);
  }

  @Override
  public void forEachAttempt(JobId job, TaskFigures.OfAttempts action) {
    new TaskListing(connections).forEachAttempt(job, action);
  }

  @Override
  public List<AttemptRecord> attempts(TaskId id) {
    long key = TaskKey.of(id);
    return connections.read(
        c -> Rows.list(c, RowMappers::attempt, SELECT_ATTEMPTS, bind("task", key)));
  }

  @Override
  public Map<Long, Granted> granted(TaskId id) {
    Map<Long, Granted> all = new LinkedHashMap<>();
    connections.read(
        c -> {
          Rows.forEach(
              c,
              row -> all.put(row.getLong(1), Granted.parse(row.getString(2))),
              "SELECT token, amounts FROM granted WHERE task = :task",
              bind("task", TaskKey.of(id)));
          return all;
        });
    return all;
  }

  @Override
  public List<NodeRecord> nodes() {
    Map<NodeId, List<NodeRecord.Agent>> agents = connections.read(SqlReads::agentsByNode);
    List<NodeRecord> nodes = new ArrayList<>();
    agents.forEach((node, its) -> nodes.add(new NodeRecord(node, its)));
    return nodes;
  }

  private static Map<NodeId, List<NodeRecord.Agent>> agentsByNode(Connection c)
      throws SQLException {
    Map<NodeId, List<NodeRecord.Agent>> agents = new LinkedHashMap<>();
    Rows.forEach(
        c,
        row ->
            agents
                .computeIfAbsent(new NodeId(row.getString(1)), node -> new ArrayList<>())
                .add(RowMappers.agent(row)),
        SELECT_AGENTS);
    return agents;
  }

  @Override
  public List<AvailabilityRecord> availability(long sinceMillis) {
    String sql =
        "SELECT n.name, a.what, a.at FROM availability a JOIN node n ON n.id = a.node"
            + " WHERE a.at >= :since ORDER BY a.at, a.id";
    return connections.read(
        c ->
            Rows.list(
                c,
                row ->
                    new AvailabilityRecord(
                        new NodeId(row.getString(1)),
                        Availability.values()[row.getInt(2)],
                        row.getLong(3)),
                sql,
                bind("since", sinceMillis)));
  }

  @Override
  public List<RunRecord> runs(JobId job, int limit) {
    String sql =
        "SELECT t.id, t.state, n.name, t.started_at, t.ended_at, COALESCE(g.amounts, '') FROM task"
            + " t JOIN node n ON n.id = t.node LEFT JOIN granted g ON g.task = t.id AND g.token ="
            + " t.token WHERE t.id BETWEEN :first AND :last AND t.outcome IS NOT NULL AND"
            + " t.started_at > 0 ORDER BY t.id LIMIT :limit";
    return connections.read(
        c ->
            Rows.list(
                c,
                row ->
                    new RunRecord(
                        TaskKey.task(row.getLong(1)),
                        Codes.state(row.getInt(2)),
                        new NodeId(row.getString(3)),
                        Math.max(0, row.getLong(5) - row.getLong(4)),
                        Granted.parse(row.getString(6))),
                sql,
                bind("first", TaskKey.first(job)),
                bind("last", TaskKey.last(job)),
                bind("limit", limit)));
  }

  @Override
  public List<TaskId> unconfirmed(NodeId node, long sinceMillis, int limit) {
    return connections.read(
        c ->
            Rows.list(
                c,
                row -> TaskKey.task(row.getLong(1)),
                SELECT_UNCONFIRMED,
                bind("since", sinceMillis),
                bind("node", node.value()),
                bind("limit", limit)));
  }

  @Override
  public long[] settledTaskCounts() {
    return sums(SUM_SETTLED);
  }

  @Override
  public long[] settledTaskCounts(String user) {
    return sums(
        SUM_SETTLED + "AND pool_user = (SELECT id FROM pool_user WHERE name = :user)",
        bind("user", user));
  }

  private long[] sums(String sql, Bind... binds) {
    long[] counts = new long[TaskState.values().length];
    connections.read(
        c -> {
          Rows.forEach(
              c,
              row -> {
                for (int i = 0; i < counts.length; i++) {
                  counts[i] = row.getLong(i + 1);
                }
              },
              sql,
              binds);
          return counts;
        });
    return counts;
  }

  @Override
  public List<JobRecord> settledBefore(long millis, @Nullable String user, int limit) {
    Conditions conditions = new Conditions();
    conditions.and(Codes.sql("j.status <> {job.OPEN}"));
    conditions.and("j.settled_at < :before", bind("before", millis));
    if (user != null) {
      conditions.and("u.name = :user", bind("user", user));
    }
    String sql = SELECT_JOB + conditions.where() + " ORDER BY j.settled_at, j.id LIMIT :limit";
    Bind[] binds = conditions.bindsAnd(bind("limit", limit));
    return connections.read(c -> Rows.list(c, RowMappers::job, sql, binds));
  }

  @Override
  public void forEachBlob(JobId job, BiConsumer<BlobId, Long> action) {
    spec(job)
        .ifPresent(
            spec ->
                spec.stages()
                    .forEach(
                        stage ->
                            stage
                                .inputs()
                                .forEach(input -> action.accept(input.blob(), input.size()))));
    long first = TaskKey.first(job);
    long last = TaskKey.last(job);
    connections.read(
        c -> {
          Rows.Sink reports = row -> ReportCodec.forEachBlob(row.getBytes(1), action);
          Rows.forEach(
              c,
              reports,
              REPORTS.formatted("task", "id"),
              bind("first", first),
              bind("last", last));
          Rows.forEach(
              c,
              reports,
              REPORTS.formatted("attempt", "task"),
              bind("first", first),
              bind("last", last));
          return true;
        });
  }

  @Override
  public long rowBytes(JobId job) {
    String sql =
        """
        SELECT COUNT(*) * 100 + COALESCE(SUM(LENGTH(report)), 0) + COALESCE(SUM(LENGTH(output)), 0)
        FROM %s WHERE %s BETWEEN :first AND :last
        """;
    long first = TaskKey.first(job);
    long last = TaskKey.last(job);
    Rows.Mapper<Long> bytes = row -> row.getLong(1);
    return connections.read(
        c ->
            Rows.first(
                        c,
                        bytes,
                        "SELECT LENGTH(spec) FROM job_spec WHERE job = :job",
                        bind("job", job.value()))
                    .orElse(0L)
                + Rows.first(
                        c,
                        bytes,
                        sql.formatted("task", "id"),
                        bind("first", first),
                        bind("last", last))
                    .orElse(0L)
                + Rows.first(
                        c,
                        bytes,
                        sql.formatted("attempt", "task"),
                        bind("first", first),
                        bind("last", last))
                    .orElse(0L));
  }

  private Optional<JobRecord> firstJob(String where, Bind bind) {
    return connections.read(c -> Rows.first(c, RowMappers::job, SELECT_JOB + where, bind));
  }

  /** A WHERE clause that grows. */
  private static final class Conditions {
    private final List<String> texts = new ArrayList<>();
    private final List<Bind> binds = new ArrayList<>();

    void and(String text, Bind... values) {
      texts.add(text);
      binds.addAll(List.of(values));
    }

    String where() {
      return texts.isEmpty() ? "" : "WHERE " + String.join(" AND ", texts);
    }

    Bind[] bindsAnd(Bind last) {
      binds.add(last);
      return binds.toArray(Bind[]::new);
    }
  }
}
