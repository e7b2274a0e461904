package dev.imker.store.sql;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.Doubt;
import dev.imker.model.job.JobSpec;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.RecoverySink;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Codes;
import dev.imker.store.internal.rows.JsonColumns;
import dev.imker.store.internal.rows.RowMappers;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.TaskKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the live state out of the database, one job after the other. */
final class RecoveryScan {
  private static final String SELECT_IDS =
      Codes.sql("SELECT id FROM job WHERE status = {job.OPEN} ORDER BY id");
  private static final String SELECT_JOB =
      "SELECT "
          + RowMappers.JOB_COLUMNS
          + ", s.spec"
          + RowMappers.JOB_TABLES
          + "JOIN job_spec s ON s.job = j.id WHERE j.id = :id";
  private static final int SPEC_COLUMN = 22;
  private static final String SELECT_TASKS =
      """
      SELECT id, state, failures, losses, attempts, token, number, agent, node, leased_at,
        changed_at, COALESCE(reason, '')
      FROM task WHERE id BETWEEN :first AND :last ORDER BY id
      """;
  private static final String SELECT_COPIES =
      """
      SELECT task, token, number, agent, node, leased_at
      FROM copy_lease WHERE task BETWEEN :first AND :last ORDER BY task, token
      """;

  private static final String SELECT_GRANTED =
      Codes.sql(
          "SELECT g.task, g.token, g.amounts FROM granted g JOIN task t ON t.id = g.task"
              + " WHERE g.task BETWEEN :first AND :last AND t.state = {task.RUNNING}");

  private static final String SELECT_NODE_PROFILES =
      "SELECT n.name, p.profile FROM node_profile p JOIN node n ON n.id = p.node ORDER BY n.id";
  private static final String SELECT_PROJECT_PROFILES =
      """
      SELECT u.name, j.name, p.profile FROM project_profile p
      JOIN project j ON j.id = p.project JOIN pool_user u ON u.id = j.pool_user ORDER BY j.id
      """;

  private static final String SELECT_VOTES =
      Codes.sql(
          "SELECT "
              + RowMappers.ATTEMPT_COLUMNS
              + ", t.output, t.task FROM attempt t"
              + RowMappers.ATTEMPT_NAMES
              + "WHERE t.task BETWEEN :first AND :last AND t.outcome = {attempt.SUCCEEDED} ORDER BY"
              + " t.token");

  private final Connection connection;
  private final RecoverySink recovery;
  private boolean needsVotes;

  /** Tasks of a job that are done again since nobody believes what they came to. */
  private final Set<TaskId> doubted = new HashSet<>();

  /** What attempts of a job have, by the tokens of their leases, if that is not just a core. */
  private final Map<Long, Granted> granted = new HashMap<>();

  private final Map<Integer, AgentId> agents = new HashMap<>();
  private final Map<Integer, NodeId> nodes = new HashMap<>();
  private final Map<Long, Long> incarnations;

  RecoveryScan(Connection connection, RecoverySink recovery) throws SQLException {
    this.connection = connection;
    this.recovery = recovery;
    this.incarnations = SqlStore.incarnations(connection);
    Rows.forEach(
        connection,
        row -> agents.put(row.getInt(1), new AgentId(row.getString(2))),
        "SELECT id, name FROM agent");
    Rows.forEach(
        connection,
        row -> nodes.put(row.getInt(1), new NodeId(row.getString(2))),
        "SELECT id, name FROM node");
  }

  void profiles() throws SQLException {
    Rows.forEach(
        connection,
        row -> recovery.nodeProfile(new NodeId(row.getString(1)), row.getString(2)),
        SELECT_NODE_PROFILES);
    Rows.forEach(
        connection,
        row ->
            recovery.projectProfile(
                new ProjectId(row.getString(1), row.getString(2)), row.getString(3)),
        SELECT_PROJECT_PROFILES);
    Rows.forEach(
        connection,
        row -> recovery.strategyMemory(row.getString(1), row.getString(2), row.getString(3)),
        "SELECT strategy, subject, memory FROM strategy_memory ORDER BY strategy, subject");
  }

  void openJobs() throws SQLException {
    List<Long> ids = Rows.list(connection, row -> row.getLong(1), SELECT_IDS);
    for (long id : ids) {
      job(new JobId(id));
    }
  }

  boolean job(JobId id) throws SQLException {
    Optional<JobRecord> job =
        Rows.first(connection, this::tellJob, SELECT_JOB, bind("id", id.value()));
    if (job.isEmpty()) {
      return false;
    }
    granted.clear();
    Rows.forEach(
        connection,
        row -> granted.put(row.getLong(2), Granted.parse(row.getString(3))),
        SELECT_GRANTED,
        bind("first", TaskKey.first(id)),
        bind("last", TaskKey.last(id)));
    Map<Long, List<OpenLease>> copies = copies(id);
    doubted.clear();
    Rows.forEach(
        connection,
        row -> tellTask(id, row, copies),
        SELECT_TASKS,
        bind("first", TaskKey.first(id)),
        bind("last", TaskKey.last(id)));
    if (needsVotes || !doubted.isEmpty()) {
      votes(id);
    }
    return true;
  }

  private void votes(JobId id) throws SQLException {
    Rows.forEach(
        connection,
        row -> {
          AttemptRecord attempt = RowMappers.attempt(row);
          AttemptReport report = attempt.report();
          TaskId task = TaskKey.task(row.getLong(13));
          if (doubted.contains(task)) {
            recovery.doubt(task, attempt.node());
          } else if (needsVotes && report != null) {
            recovery.vote(task, attempt.node(), report);
          }
        },
        SELECT_VOTES,
        bind("first", TaskKey.first(id)),
        bind("last", TaskKey.last(id)));
  }

  private JobRecord tellJob(ResultSet row) throws SQLException {
    JobRecord job = RowMappers.job(row);
    JobSpec spec = JsonColumns.spec(job.id(), row.getString(SPEC_COLUMN));
    needsVotes = spec.stages().stream().anyMatch(stage -> stage.rules().quorum() != 1);
    recovery.job(job, spec);
    return job;
  }

  private Map<Long, List<OpenLease>> copies(JobId id) throws SQLException {
    Map<Long, List<OpenLease>> copies = new HashMap<>();
    Rows.forEach(
        connection,
        row ->
            copies
                .computeIfAbsent(row.getLong(1), task -> new ArrayList<>())
                .add(openLease(row, 2)),
        SELECT_COPIES,
        bind("first", TaskKey.first(id)),
        bind("last", TaskKey.last(id)));
    return copies;
  }

  private void tellTask(JobId job, ResultSet row, Map<Long, List<OpenLease>> copies)
      throws SQLException {
    long key = row.getLong(1);
    TaskId task = new TaskId(job, TaskKey.index(key));
    TaskState state = Codes.state(row.getInt(2));
    recovery.task(task, state, row.getInt(3), row.getInt(4), row.getInt(5));
    if (!state.isSettled() && row.getString(12).startsWith(Doubt.REASON)) {
      doubted.add(task);
    }
    if (state == TaskState.DONE) {
      recovery.done(task, row.getLong(11));
    }
    if (state == TaskState.RUNNING) {
      openLease(row, 6).tell(recovery, task);
      for (OpenLease copy : copies.getOrDefault(key, List.of())) {
        copy.tell(recovery, task);
      }
    }
  }

  private OpenLease openLease(ResultSet row, int from) throws SQLException {
    return new OpenLease(
        token(row.getLong(from)),
        row.getInt(from + 1),
        name(agents, row.getInt(from + 2)),
        name(nodes, row.getInt(from + 3)),
        row.getLong(from + 4),
        granted.getOrDefault(row.getLong(from), Granted.ONE_CORE));
  }

  private LeaseToken token(long value) {
    return new LeaseToken(value, incarnations.getOrDefault(LeaseToken.epochOf(value), 0L));
  }

  private static <T> T name(Map<Integer, T> names, int number) {
    T name = names.get(number);
    if (name == null) {
      throw new StoreException("The database is damaged: no agent or node has number " + number);
    }
    return name;
  }

  private record OpenLease(
      LeaseToken token,
      int number,
      AgentId agent,
      NodeId node,
      long leasedMillis,
      Granted granted) {
    void tell(RecoverySink recovery, TaskId task) {
      recovery.lease(new Lease(task, token), agent, node, number, leasedMillis, granted);
    }
  }
}
