package dev.imker.store.internal.write;

import dev.imker.model.BlobId;
import dev.imker.model.ResultFile;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.TaskImported;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.ReportCodec;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.TaskKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Writes tasks that another pool settled. Their files count for their owner, their time does not.
 */
record ImportWriter(Connection connection, Names names, UsageLedger usage, BlobLedger blobs) {
  private static final String TASK =
      """
      INSERT INTO task (id, state, failures, losses, attempts, changed_at) VALUES (?, ?, ?, ?, ?, ?)
      """;
  private static final String SETTLING =
      """
      UPDATE task SET token = ?, number = ?, agent = ?, node = ?, leased_at = ?, outcome = ?,
        exit_code = ?, started_at = ?, ended_at = ?, report = ?, output = ?
      WHERE id = ?
      """;
  private static final String OTHER =
      """
      INSERT INTO attempt (token, number, agent, node, leased_at, outcome, exit_code, started_at,
        ended_at, report, output, task)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  void write(TaskImported task) throws SQLException {
    Rows.update(
        connection,
        TASK,
        TaskKey.of(task.task()),
        task.state().ordinal(),
        task.failures(),
        task.losses(),
        task.attempts().size(),
        task.changedMillis());
    int user = usage.userOf(task.task());
    for (int i = 0; i < task.attempts().size(); i++) {
      TaskImported.Attempt attempt = task.attempts().get(i);
      write(i == task.settling() ? SETTLING : OTHER, attempt, TaskKey.of(task.task()));
      own(user, attempt.report(), task.changedMillis());
    }
  }

  private void write(String sql, TaskImported.Attempt attempt, long key) throws SQLException {
    AttemptReport report = attempt.report();
    try (PreparedStatement row = connection.prepareStatement(sql)) {
      row.setLong(1, attempt.token().value());
      row.setInt(2, attempt.number());
      row.setInt(3, names.agent(attempt.agent()));
      row.setInt(4, names.node(attempt.node()));
      row.setLong(5, attempt.leasedMillis());
      row.setInt(6, report.outcome().ordinal());
      row.setInt(7, report.exitCode());
      row.setLong(8, report.startedMillis());
      row.setLong(9, report.endedMillis());
      row.setBytes(10, ReportCodec.report(report));
      row.setBytes(11, ReportCodec.output(report));
      row.setLong(12, key);
      row.executeUpdate();
    }
  }

  private void own(int user, AttemptReport report, long atMillis) {
    for (CapturedOutput output : new CapturedOutput[] {report.stdout(), report.stderr()}) {
      BlobId blob = output.blob();
      if (blob != null) {
        blobs.own(user, blob, output.size(), atMillis);
      }
    }
    for (ResultFile file : report.results()) {
      blobs.own(user, file.blob(), file.size(), atMillis);
    }
  }
}
