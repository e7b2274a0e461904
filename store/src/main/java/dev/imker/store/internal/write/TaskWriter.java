package dev.imker.store.internal.write;

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
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.ReportCodec;
import dev.imker.store.internal.rows.RowSink;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.StatementRow;
import dev.imker.store.internal.rows.TaskKey;
import dev.imker.store.internal.rows.TaskStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Writes rows of tasks and attempts. The normal life of a task is one insert (START) and one update
 * (SUCCEED). The row holds one running attempt; further ones that run at the same time are in
 * copy_lease, and those that ended without settling the task go to attempt.
 */
final class TaskWriter {
  private static final String START_COPY =
      "INSERT INTO copy_lease (task, token, number, agent, node, leased_at)"
          + " VALUES (?, ?, ?, ?, ?, ?)";
  private static final String CHANGE_RUN =
      """
      INSERT INTO task (id, state, failures, losses, attempts, changed_at, reason)
      WITH RECURSIVE run (id) AS (
        SELECT CAST(? AS BIGINT) UNION ALL SELECT id + 1 FROM run WHERE id < CAST(? AS BIGINT))
      SELECT id, CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS INTEGER), 0, CAST(? AS BIGINT),
        NULLIF(CAST(? AS TEXT), '')
      FROM run WHERE true
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, failures = excluded.failures,
        losses = excluded.losses, changed_at = excluded.changed_at, reason = excluded.reason
      """;
  private static final String ATTEMPT_COLUMNS =
      "task, token, number, agent, node, leased_at, outcome, exit_code, started_at, ended_at,"
          + " report, output";

  /** An attempt may have been lost, and gone on when its agent came back: the last word counts. */
  private static final String LAST_WORD =
      " ON CONFLICT (task, token) DO UPDATE SET number = excluded.number,"
          + " leased_at = excluded.leased_at, outcome = excluded.outcome,"
          + " exit_code = excluded.exit_code, started_at = excluded.started_at,"
          + " ended_at = excluded.ended_at, report = excluded.report, output = excluded.output";

  private static final String KEEP_SETTLING_ATTEMPTS =
      "INSERT INTO attempt ("
          + ATTEMPT_COLUMNS
          + ") SELECT id, token, number, agent, node, leased_at, outcome, exit_code, started_at,"
          + " ended_at, report, output FROM task WHERE id BETWEEN ? AND ? AND outcome IS NOT NULL"
          + LAST_WORD;
  private static final String FREE_ROWS =
      """
      UPDATE task SET token = NULL, number = NULL, agent = NULL, node = NULL, leased_at = NULL,
        outcome = NULL, exit_code = NULL, started_at = NULL, ended_at = NULL, report = NULL,
        output = NULL
      WHERE id BETWEEN ? AND ?
      """;
  private static final String END_ATTEMPT =
      "INSERT INTO attempt ("
          + ATTEMPT_COLUMNS
          + ") SELECT %s, token, number, agent, node, leased_at, ?, ?, ?, ?, ?, ?"
          + " FROM %s WHERE %s = ? AND token = ?"
          + LAST_WORD;
  private static final String END_ROW_ATTEMPT = END_ATTEMPT.formatted("id", "task", "id");
  private static final String END_COPY = END_ATTEMPT.formatted("task", "copy_lease", "task");
  private static final String STOP =
      Codes.sql(
          "UPDATE %s SET exit_code = ?, started_at = ?, ended_at = ?, report = ?, output = ?"
              + " WHERE %s = ? AND token = ? AND outcome = {attempt.STOPPED}");
  private static final String STOP_ROW = STOP.formatted("task", "id");
  private static final String STOP_ATTEMPT = STOP.formatted("attempt", "task");
  private static final String PARK_ROW =
      "INSERT INTO copy_lease (task, token, number, agent, node, leased_at)"
          + " SELECT id, token, number, agent, node, leased_at FROM task WHERE id = ?";
  private static final String PROMOTE =
      """
      UPDATE task SET (token, number, agent, node, leased_at) =
        (SELECT token, number, agent, node, leased_at FROM copy_lease WHERE task = ? AND token = ?)
      WHERE id = ?
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

  /** False if nothing is known of it any more. Nothing of the task may be pending. */
  boolean stop(AttemptStopped stop) throws SQLException {
    return stopIn(STOP_ROW, stop) || stopIn(STOP_ATTEMPT, stop);
  }

  private boolean stopIn(String sql, AttemptStopped stop) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      StatementRow row = new StatementRow(statement);
      bindReport(row, 1, stop.report());
      row.setLong(6, TaskKey.of(stop.task()));
      row.setLong(7, stop.token().value());
      return statement.executeUpdate() > 0;
    }
  }

  void change(TaskChanged task) throws SQLException {
    long key = TaskKey.of(task.task());
    keepSettlingAttempts(task.state(), key, key);
    changed.add(task);
  }

  /** Nothing of these tasks may be pending. */
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
        first,
        last,
        run.state().ordinal(),
        run.failures(),
        run.losses(),
        run.atMillis(),
        run.reason());
  }

  /** Tasks that are to be tried again: what settled them becomes history. */
  private void keepSettlingAttempts(TaskState state, long first, long last) throws SQLException {
    if (state != TaskState.READY && state != TaskState.WAITING) {
      return;
    }
    if (Rows.update(connection, KEEP_SETTLING_ATTEMPTS, first, last) > 0) {
      Rows.update(connection, FREE_ROWS + " AND outcome IS NOT NULL", first, last);
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
        key,
        start.token().value(),
        start.attempt(),
        names.agent(start.agent()),
        names.node(start.node()),
        start.atMillis());
    Rows.update(connection, "UPDATE task SET attempts = ? WHERE id = ?", start.attempt(), key);
  }

  private void endWithoutSettling(AttemptEnded end) throws SQLException {
    if (endInto(END_ROW_ATTEMPT, end) == 0) {
      endCopy(end);
      return;
    }
    long key = TaskKey.of(end.task());
    if (end.state() != TaskState.RUNNING || !promote(key, oldestCopy(key))) {
      Rows.update(connection, FREE_ROWS, key, key);
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
    Rows.update(connection, PARK_ROW, key);
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
        "UPDATE task SET changed_at = CASE WHEN state = ? THEN changed_at ELSE ? END,"
            + " state = ?, failures = ?, losses = ? WHERE id = ?",
        end.state().ordinal(),
        end.atMillis(),
        end.state().ordinal(),
        end.failures(),
        end.losses(),
        TaskKey.of(end.task()));
  }

  private boolean isRunning(long key) throws SQLException {
    String sql = Codes.sql("SELECT 1 FROM task WHERE id = ? AND state = {task.RUNNING}");
    return Rows.first(connection, row -> row.getInt(1), sql, key).isPresent();
  }

  private long oldestCopy(long key) throws SQLException {
    String sql = "SELECT token FROM copy_lease WHERE task = ? ORDER BY token LIMIT 1";
    return Rows.first(connection, row -> row.getLong(1), sql, key).orElse(-1L);
  }

  private boolean promote(long key, long token) throws SQLException {
    Rows.update(connection, PROMOTE, key, token, key);
    return dropCopy(key, token);
  }

  private boolean dropCopy(long key, long token) throws SQLException {
    String sql = "DELETE FROM copy_lease WHERE task = ? AND token = ?";
    return Rows.update(connection, sql, key, token) > 0;
  }

  private int endInto(String sql, AttemptEnded end) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      StatementRow row = new StatementRow(statement);
      row.setInt(1, end.report().outcome().ordinal());
      bindReport(row, 2, end.report());
      row.setLong(7, TaskKey.of(end.task()));
      row.setLong(8, end.token().value());
      return statement.executeUpdate();
    }
  }

  private void bindStarted(RowSink row, AttemptStarted start) throws SQLException {
    row.setLong(1, TaskKey.of(start.task()));
    row.setLong(2, start.token().value());
    row.setInt(3, start.attempt());
    row.setInt(4, names.agent(start.agent()));
    row.setInt(5, names.node(start.node()));
    row.setLong(6, start.atMillis());
  }

  private static void bindSucceeded(RowSink row, AttemptEnded end) throws SQLException {
    row.setLong(1, end.atMillis());
    bindReport(row, 2, end.report());
    row.setLong(7, TaskKey.of(end.task()));
    row.setLong(8, end.token().value());
  }

  private static void bindSettled(RowSink row, AttemptEnded end) throws SQLException {
    row.setInt(1, end.state().ordinal());
    row.setInt(2, end.failures());
    row.setInt(3, end.losses());
    row.setLong(4, end.atMillis());
    row.setInt(5, end.report().outcome().ordinal());
    bindReport(row, 6, end.report());
    row.setLong(11, TaskKey.of(end.task()));
    row.setLong(12, end.token().value());
  }

  private static void bindReport(RowSink row, int from, AttemptReport report) throws SQLException {
    row.setInt(from, report.exitCode());
    row.setLong(from + 1, report.startedMillis());
    row.setLong(from + 2, report.endedMillis());
    row.setBytes(from + 3, ReportCodec.report(report));
    row.setBytes(from + 4, ReportCodec.output(report));
  }

  private static void bindChanged(RowSink row, TaskChanged task) throws SQLException {
    row.setLong(1, TaskKey.of(task.task()));
    row.setInt(2, task.state().ordinal());
    row.setInt(3, task.failures());
    row.setInt(4, task.losses());
    row.setLong(5, task.atMillis());
    row.setString(6, task.reason().isEmpty() ? null : task.reason());
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
