package dev.imker.store.internal.rows;

import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.NodeRecord;
import dev.imker.store.TaskRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of records, and records of the columns; both in the same order. */
public final class RowMappers {
  public static final String JOB_COLUMNS =
      """
      j.id, u.name, p.name, j.name, j.kind, j.command, j.task_count, j.priority, j.submitted_at,
      j.settled_at, COALESCE(j.request_key, ''), j.waiting, j.ready, j.running, j.done, j.failed,
      j.blocked, j.auto_blocked, j.cancelled, j.phase, j.session\
      """;
  public static final String JOB_TABLES =
      " FROM job j JOIN pool_user u ON u.id = j.pool_user JOIN project p ON p.id = j.project ";
  public static final String ATTEMPT_COLUMNS =
      """
      t.token, (SELECT e.incarnation FROM term e WHERE e.epoch = (t.token >> 40)), t.number, a.name, n.name, t.leased_at, t.outcome, t.exit_code, t.started_at,
      t.ended_at, t.report\
      """;
  public static final String ATTEMPT_NAMES =
      " LEFT JOIN agent a ON a.id = t.agent LEFT JOIN node n ON n.id = t.node ";
  public static final String TASK_COLUMNS =
      "t.id, t.state, t.failures, t.losses, t.attempts, t.changed_at, COALESCE(t.reason, '')";

  private static final int FIRST_COUNT = 12;
  private static final int PHASE_COLUMN = 20;
  private static final int SESSION_COLUMN = 21;
  private static final int TASK_COLUMN_COUNT = 7;

  private RowMappers() {}

  public static JobRecord job(ResultSet row) throws SQLException {
    return new JobRecord(
        new JobId(row.getLong(1)),
        new ProjectId(row.getString(2), row.getString(3)),
        row.getString(4),
        Codes.kind(row.getInt(5)),
        JsonColumns.command(row.getString(6)),
        row.getInt(7),
        row.getInt(8),
        counts(row),
        row.getLong(9),
        row.getLong(10),
        row.getString(11),
        row.getString(SESSION_COLUMN),
        row.getString(PHASE_COLUMN));
  }

  private static int[] counts(ResultSet row) throws SQLException {
    int[] counts = new int[TaskState.values().length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = row.getInt(FIRST_COUNT + i);
    }
    return counts;
  }

  /** A row of TASK_COLUMNS, ATTEMPT_COLUMNS, output. */
  public static TaskRecord task(ResultSet row) throws SQLException {
    boolean hasAttempt = row.getObject(TASK_COLUMN_COUNT + 1) != null;
    return new TaskRecord(
        TaskKey.task(row.getLong(1)),
        Codes.state(row.getInt(2)),
        row.getInt(3),
        row.getInt(4),
        row.getInt(5),
        row.getLong(6),
        row.getString(7),
        hasAttempt ? attempt(row, TASK_COLUMN_COUNT + 1) : null);
  }

  /** A row of ATTEMPT_COLUMNS, output. */
  public static AttemptRecord attempt(ResultSet row) throws SQLException {
    return attempt(row, 1);
  }

  private static AttemptRecord attempt(ResultSet row, int from) throws SQLException {
    return new AttemptRecord(
        new LeaseToken(row.getLong(from), row.getLong(from + 1)),
        row.getInt(from + 2),
        new AgentId(row.getString(from + 3)),
        new NodeId(row.getString(from + 4)),
        row.getLong(from + 5),
        report(row, from + 6));
  }

  private static @Nullable AttemptReport report(ResultSet row, int from) throws SQLException {
    int outcome = row.getInt(from);
    if (row.wasNull()) {
      return null;
    }
    AttemptReport columns =
        new AttemptReport(
            Codes.outcome(outcome),
            row.getInt(from + 1),
            row.getLong(from + 2),
            row.getLong(from + 3),
            0,
            0,
            CapturedOutput.NONE,
            CapturedOutput.NONE,
            List.of(),
            "");
    return ReportCodec.decode(columns, row.getBytes(from + 4), row.getBytes(from + 5));
  }

  public static NodeRecord.Agent agent(ResultSet row) throws SQLException {
    return new NodeRecord.Agent(
        new AgentId(row.getString(2)),
        row.getString(3),
        row.getString(4),
        JsonColumns.platform(row.getString(5)),
        row.getInt(6),
        row.getInt(7) == 1,
        row.getLong(8));
  }
}
