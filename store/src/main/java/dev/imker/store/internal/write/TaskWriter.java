package dev.imker.store.internal.write;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Batch;
import dev.imker.store.internal.rows.Codes;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.internal.rows.NamedStatement;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.ReportCodec;
import dev.imker.store.internal.rows.RowSink;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.TaskKey;
import dev.imker.store.internal.rows.TaskStatement;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Writes rows of tasks and attempts. The normal life of a task is one insert (START) and one update
 * (SUCCEED). The row holds one running attempt; further ones that run at the same time are in
 * copy_lease, and those that ended without settling the task go to attempt.
 */
final class TaskWriter {
  private static final String START_COPY =
      "INSERT INTO copy_lease (task, token, number, agent, node, leased_at)"
          + " VALUES (:task, :token, :number, :agent, :node, :leased_at)";
  private static final String GRANT =
      "INSERT INTO granted (task, token, amounts) VALUES (:task, :token, :amounts)"
          + " ON CONFLICT (task, token) DO UPDATE SET amounts = excluded.amounts";
  private static final String CHANGE_RUN =
      """
      INSERT INTO task (id, state, failures, losses, attempts, changed_at, reason)
      WITH RECURSIVE run (id) AS (
        SELECT CAST(:first AS BIGINT)
        UNION ALL SELECT id + 1 FROM run WHERE id < CAST(:last AS BIGINT))
      SELECT id, CAST(:state AS INTEGER), CAST(:failures AS INTEGER), CAST(:losses AS INTEGER), 0,
        CAST(:changed_at AS BIGINT), NULLIF(CAST(:reason AS TEXT), '')
      FROM run WHERE true
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, failures = excluded.failures,
        losses = excluded.losses, changed_at = excluded.changed_at, reason = excluded.reason
      """;
  private static final String ATTEMPT_COLUMNS =
      "task, token, number, agent, node, leased_at, outcome, exit_code, started_at, ended_at,"
          + " report, output";

  /**
   * An attempt may have been lost and continued when its agent came back: the last report counts.
   */
  private static final String LAST_WORD =
      " ON CONFLICT (task, token) DO UPDATE SET number = excluded.number,"
          + " leased_at = excluded.leased_at, outcome = excluded.outcome,"
          + " exit_code = excluded.exit_code, started_at = excluded.started_at,"
          + " ended_at = excluded.ended_at, report = excluded.report, output = excluded.output";

  private static final String KEEP_SETTLING_ATTEMPTS =
      "INSERT INTO attempt ("
          + ATTEMPT_COLUMNS
          + ") SELECT id, token, number, agent, node, leased_at, outcome, exit_code, started_at,"
          + " ended_at, report, output FROM task WHERE id BETWEEN :first AND :last AND outcome IS"
          + " NOT NULL"
          + LAST_WORD;
  private static final String FREE_ROWS =
      """
      UPDATE task SET token = NULL, number = NULL, agent = NULL, node = NULL, leased_at = NULL,
        outcome = NULL, exit_code = NULL, started_at = NULL, ended_at = NULL, report = NULL,
        output = NULL
      WHERE id BETWEEN :first AND :last
      """;
  private static final String END_ATTEMPT =
      "INSERT INTO attempt ("
          + ATTEMPT_COLUMNS
          + ") SELECT %s, token, number, agent, node, leased_at, :outcome, :exit_code, :started_at,"
          + " :ended_at, :report, :output FROM %s WHERE %s = :task AND token = :token"
          + LAST_WORD;
  private static final String END_ROW_ATTEMPT = END_ATTEMPT.formatted("id", "task", "id");
  private static final String END_COPY = END_ATTEMPT.formatted("task", "copy_lease", "task");
  private static final String STOP =
      Codes.sql(
          "UPDATE %s SET exit_code = :exit_code, started_at = :started_at, ended_at = :ended_at,"
              + " report = :report, output = :output WHERE %s = :task AND token = :token AND"
              + " outcome = {attempt.STOPPED}");
  private static final String STOP_ROW = STOP.formatted("task", "id");
  private static final String STOP_ATTEMPT = STOP.formatted("attempt", "task");
  private static final String PARK_ROW =
      "INSERT INTO copy_lease (task, token, number, agent, node, leased_at)"
          + " SELECT id, token, number, agent, node, leased_at FROM task WHERE id = :task";
  private static final String PROMOTE =
      """
      UPDATE task SET (token, number, agent, node, leased_at) =
        (SELECT token, number, agent, node, leased_at FROM copy_lease
          WHERE task = :task AND token = :token)
      WHERE id = :task
      """;

  private final Connection connection;
  private final Names names;
  private final Batch<AttemptStarted> started;
  private final Batch<AttemptEnded> succeeded;
  private final Batch<AttemptEnded> settled;
  private final Batch<TaskChanged> changed;

  TaskWriter(Connection connection, Dialect dialect, Names names) throws SQLException {
    this.connection = connection;
    this.names = names;
    this.started =
        dialect.tasks(
            connection,
            TaskStatement.START,
            start -> TaskKey.of(start.task()),
            this::bindStarted,
            this::startCopy);
    this.succeeded =
        dialect.tasks(
            connection,
            TaskStatement.SUCCEED,
            end -> TaskKey.of(end.task()),
            TaskWriter::bindSucceeded,
            this::endElsewhere);
    this.settled =
        dialect.tasks(
            connection,
            TaskStatement.SETTLE,
            end -> TaskKey.of(end.task()),
            TaskWriter::bindSettled,
            this::endElsewhere);
    this.changed =
        dialect.tasks(
            connection,
            TaskStatement.CHANGE,
            task -> TaskKey.of(task.task()),
            TaskWriter::bindChanged,
            task -> {});
  }

  void start(AttemptStarted start) throws SQLException {
    started.add(start);
    if (!start.granted().isEmpty()) {
      Rows.update(
          connection,
          GRANT,
          bind("task", TaskKey.of(start.task())),
          bind("token", start.token().value()),
          bind("amounts", start.granted()));
    }
  }

  void end(AttemptEnded end) throws SQLException {
    if (end.state() == TaskState.DONE && end.report().outcome() == AttemptOutcome.SUCCEEDED) {
      succeeded.add(end);
    } else if (end.state().isSettled()) {
      settled.add(end);
    } else {
      endWithoutSettling(end);
    }
  }

  /** False if it is no longer known. No change of the task may be pending. */
  boolean stop(AttemptStopped stop) throws SQLException {
    return stopIn(STOP_ROW, stop) || stopIn(STOP_ATTEMPT, stop);
  }

  private boolean stopIn(String sql, AttemptStopped stop) throws SQLException {
    try (NamedStatement row = new NamedStatement(connection, sql)) {
      bindReport(row, stop.report());
      row.setLong("task", TaskKey.of(stop.task()));
      row.setLong("token", stop.token().value());
      return row.update() > 0;
    }
  }

  void change(TaskChanged task) throws SQLException {
    long key = TaskKey.of(task.task());
    keepSettlingAttempts(task.state(), key, key);
    changed.add(task);
  }

  /** No change of these tasks may be pending. */
  void changeRun(TasksChanged run) throws SQLException {
    long first = TaskKey.of(new TaskId(run.job(), run.fromIndex()));
    long last = first + (run.toIndexExclusive() - run.fromIndex() - 1);
    if (last < first) {
      return;
    }
    keepSettlingAttempts(run.state(), first, last);
    Rows.update(
        connection,
        CHANGE_RUN,
        bind("first", first),
        bind("last", last),
        bind("state", run.state().ordinal()),
        bind("failures", run.failures()),
        bind("losses", run.losses()),
        bind("changed_at", run.atMillis()),
        bind("reason", run.reason()));
  }

  /** Tasks to be retried: the attempt that settled them becomes history. */
  private void keepSettlingAttempts(TaskState state, long first, long last) throws SQLException {
    if (state != TaskState.READY && state != TaskState.WAITING) {
      return;
    }
    if (Rows.update(connection, KEEP_SETTLING_ATTEMPTS, bind("first", first), bind("last", last))
        > 0) {
      Rows.update(
          connection,
          FREE_ROWS + " AND outcome IS NOT NULL",
          bind("first", first),
          bind("last", last));
    }
  }

  void flush() throws SQLException {
    started.flush();
    succeeded.flush();
    settled.flush();
    changed.flush();
  }

  void discard() throws SQLException {
    started.discard();
    succeeded.discard();
    settled.discard();
    changed.discard();
  }

  private void startCopy(AttemptStarted start) throws SQLException {
    long key = TaskKey.of(start.task());
    Rows.update(
        connection,
        START_COPY,
        bind("task", key),
        bind("token", start.token().value()),
        bind("number", start.attempt()),
        bind("agent", names.agent(start.agent())),
        bind("node", names.node(start.node())),
        bind("leased_at", start.atMillis()));
    Rows.update(
        connection,
        "UPDATE task SET attempts = :attempts WHERE id = :id",
        bind("attempts", start.attempt()),
        bind("id", key));
  }

  private void endWithoutSettling(AttemptEnded end) throws SQLException {
    if (endInto(END_ROW_ATTEMPT, end) == 0) {
      endCopy(end);
      return;
    }
    long key = TaskKey.of(end.task());
    if (end.state() != TaskState.RUNNING || !promote(key, oldestCopy(key))) {
      Rows.update(connection, FREE_ROWS, bind("first", key), bind("last", key));
    }
    updateState(end);
  }

  /** The attempt that ended is not the one in the task's row. */
  private void endElsewhere(AttemptEnded end) throws SQLException {
    long key = TaskKey.of(end.task());
    if (!isRunning(key)) {
      endCopy(end);
      return;
    }
    Rows.update(connection, PARK_ROW, bind("task", key));
    if (!promote(key, end.token().value())) {
      throw neverStarted(end);
    }
    settled.add(end);
    settled.flush();
  }

  private void endCopy(AttemptEnded end) throws SQLException {
    if (endInto(END_COPY, end) == 0) {
      throw neverStarted(end);
    }
    dropCopy(TaskKey.of(end.task()), end.token().value());
    updateState(end);
  }

  private void updateState(AttemptEnded end) throws SQLException {
    Rows.update(
        connection,
        "UPDATE task SET changed_at = CASE WHEN state = :state THEN changed_at ELSE :changed_at"
            + " END, state = :state, failures = :failures, losses = :losses WHERE id = :id",
        bind("state", end.state().ordinal()),
        bind("changed_at", end.atMillis()),
        bind("failures", end.failures()),
        bind("losses", end.losses()),
        bind("id", TaskKey.of(end.task())));
  }

  private boolean isRunning(long key) throws SQLException {
    String sql = Codes.sql("SELECT 1 FROM task WHERE id = :id AND state = {task.RUNNING}");
    return Rows.first(connection, row -> row.getInt(1), sql, bind("id", key)).isPresent();
  }

  private long oldestCopy(long key) throws SQLException {
    String sql = "SELECT token FROM copy_lease WHERE task = :task ORDER BY token LIMIT 1";
    return Rows.first(connection, row -> row.getLong(1), sql, bind("task", key)).orElse(-1L);
  }

  private boolean promote(long key, long token) throws SQLException {
    Rows.update(connection, PROMOTE, bind("task", key), bind("token", token));
    return dropCopy(key, token);
  }

  private boolean dropCopy(long key, long token) throws SQLException {
    String sql = "DELETE FROM copy_lease WHERE task = :task AND token = :token";
    return Rows.update(connection, sql, bind("task", key), bind("token", token)) > 0;
  }

  private int endInto(String sql, AttemptEnded end) throws SQLException {
    try (NamedStatement row = new NamedStatement(connection, sql)) {
      row.setInt("outcome", end.report().outcome().ordinal());
      bindReport(row, end.report());
      row.setLong("task", TaskKey.of(end.task()));
      row.setLong("token", end.token().value());
      return row.update();
    }
  }

  private void bindStarted(RowSink row, AttemptStarted start) throws SQLException {
    row.setLong("id", TaskKey.of(start.task()));
    row.setLong("token", start.token().value());
    row.setInt("number", start.attempt());
    row.setInt("agent", names.agent(start.agent()));
    row.setInt("node", names.node(start.node()));
    row.setLong("leased_at", start.atMillis());
  }

  private static void bindSucceeded(RowSink row, AttemptEnded end) throws SQLException {
    row.setLong("changed_at", end.atMillis());
    bindReport(row, end.report());
    row.setLong("id", TaskKey.of(end.task()));
    row.setLong("token", end.token().value());
  }

  private static void bindSettled(RowSink row, AttemptEnded end) throws SQLException {
    row.setInt("state", end.state().ordinal());
    row.setInt("failures", end.failures());
    row.setInt("losses", end.losses());
    row.setLong("changed_at", end.atMillis());
    row.setInt("outcome", end.report().outcome().ordinal());
    bindReport(row, end.report());
    row.setLong("id", TaskKey.of(end.task()));
    row.setLong("token", end.token().value());
  }

  private static void bindReport(RowSink row, AttemptReport report) throws SQLException {
    row.setInt("exit_code", report.exitCode());
    row.setLong("started_at", report.startedMillis());
    row.setLong("ended_at", report.endedMillis());
    row.setBytes("report", ReportCodec.report(report));
    row.setBytes("output", ReportCodec.output(report));
  }

  private static void bindChanged(RowSink row, TaskChanged task) throws SQLException {
    row.setLong("id", TaskKey.of(task.task()));
    row.setInt("state", task.state().ordinal());
    row.setInt("failures", task.failures());
    row.setInt("losses", task.losses());
    row.setLong("changed_at", task.atMillis());
    row.setString("reason", task.reason().isEmpty() ? null : task.reason());
  }

  private static StoreException neverStarted(AttemptEnded end) {
    return new StoreException(
        "An attempt of task "
            + end.task()
            + " ended that is not known to run (token "
            + end.token().value()
            + ").");
  }
}
