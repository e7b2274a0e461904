package dev.imker.store.internal.write;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.BlobId;
import dev.imker.model.ResultFile;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.TaskImported;
import dev.imker.store.internal.rows.NamedStatement;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.ReportCodec;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.TaskKey;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Writes tasks that another pool settled. Their files count for their owner, their time does not.
 */
record ImportWriter(Connection connection, Names names, UsageLedger usage, BlobLedger blobs) {
  private static final String TASK =
      """
      INSERT INTO task (id, state, failures, losses, attempts, changed_at)
      VALUES (:id, :state, :failures, :losses, :attempts, :changed_at)
      """;
  private static final String SETTLING =
      """
      UPDATE task SET token = :token, number = :number, agent = :agent, node = :node, leased_at = :leased_at,
        outcome = :outcome, exit_code = :exit_code, started_at = :started_at, ended_at = :ended_at,
        report = :report, output = :output
      WHERE id = :task
      """;
  private static final String OTHER =
      """
      INSERT INTO attempt (token, number, agent, node, leased_at, outcome, exit_code, started_at,
        ended_at, report, output, task)
      VALUES (:token, :number, :agent, :node, :leased_at, :outcome, :exit_code,
        :started_at, :ended_at, :report, :output, :task)
      """;

  void write(TaskImported task) throws SQLException {
    Rows.update(
        connection,
        TASK,
        bind("id", TaskKey.of(task.task())),
        bind("state", task.state().ordinal()),
        bind("failures", task.failures()),
        bind("losses", task.losses()),
        bind("attempts", task.attempts().size()),
        bind("changed_at", task.changedMillis()));
    int user = usage.userOf(task.task());
    for (int i = 0; i < task.attempts().size(); i++) {
      TaskImported.Attempt attempt = task.attempts().get(i);
      write(i == task.settling() ? SETTLING : OTHER, attempt, TaskKey.of(task.task()));
      own(user, attempt.report(), task.changedMillis());
    }
  }

  private void write(String sql, TaskImported.Attempt attempt, long key) throws SQLException {
    AttemptReport report = attempt.report();
    try (NamedStatement row = new NamedStatement(connection, sql)) {
      row.setLong("token", attempt.token().value());
      row.setInt("number", attempt.number());
      row.setInt("agent", names.agent(attempt.agent()));
      row.setInt("node", names.node(attempt.node()));
      row.setLong("leased_at", attempt.leasedMillis());
      row.setInt("outcome", report.outcome().ordinal());
      row.setInt("exit_code", report.exitCode());
      row.setLong("started_at", report.startedMillis());
      row.setLong("ended_at", report.endedMillis());
      row.setBytes("report", ReportCodec.report(report));
      row.setBytes("output", ReportCodec.output(report));
      row.setLong("task", key);
      row.update();
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
