package dev.imker.store.internal.write;

import dev.imker.model.ProjectId;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.JobPhased;
import dev.imker.model.change.SpecChanged;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Batch;
import dev.imker.store.internal.rows.Codes;
import dev.imker.store.internal.rows.JsonColumns;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.RowSink;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.StatementBatch;
import java.sql.Connection;
import java.sql.SQLException;

/** Writes rows of jobs. */
final class JobWriter {
  private static final String ADD =
      Codes.sql(
          """
          INSERT INTO job (id, project, pool_user, name, kind, task_count, priority, status,
            waiting, ready, running, done, failed, blocked, auto_blocked, cancelled,
            submitted_at, settled_at, request_key, command, session)
          VALUES (?, ?, ?, ?, ?, ?, ?, {job.OPEN}, ?, ?, 0, 0, 0, 0, 0, 0, ?, -1, ?, ?, ?)
          """);
  private static final String SPECIFY = "INSERT INTO job_spec (job, spec) VALUES (?, ?)";
  private static final String CHANGE =
      """
      UPDATE job SET status = ?, waiting = ?, ready = ?, running = ?, done = ?, failed = ?,
        blocked = ?, auto_blocked = ?, cancelled = ?, settled_at = ?, priority = ?
      WHERE id = ?
      """;

  private final Connection connection;
  private final Names names;
  private final Batch<JobAdded> added;
  private final Batch<JobAdded> specified;
  private final Batch<JobChanged> changed;

  JobWriter(Connection connection, Names names) throws SQLException {
    this.connection = connection;
    this.names = names;
    this.added = new StatementBatch<>(connection, ADD, this::bindAdded, job -> {});
    this.specified = new StatementBatch<>(connection, SPECIFY, JobWriter::bindSpec, job -> {});
    this.changed =
        new StatementBatch<>(connection, CHANGE, JobWriter::bindChanged, JobWriter::refuseUnknown);
  }

  void add(JobAdded job) throws SQLException {
    added.add(job);
    specified.add(job);
  }

  void change(JobChanged change) throws SQLException {
    changed.add(change);
  }

  void phase(JobPhased job) throws SQLException {
    flush();
    Rows.update(
        connection, "UPDATE job SET phase = ? WHERE id = ?", job.phase(), job.job().value());
  }

  void changeSpec(SpecChanged job) throws SQLException {
    flush();
    Rows.update(
        connection,
        "UPDATE job_spec SET spec = ? WHERE job = ?",
        JsonColumns.spec(job.spec()),
        job.job().value());
  }

  void flush() throws SQLException {
    added.flush();
    specified.flush();
    changed.flush();
  }

  void discard() throws SQLException {
    added.discard();
    specified.discard();
    changed.discard();
  }

  private void bindAdded(RowSink row, JobAdded job) throws SQLException {
    row.setLong(1, job.job().value());
    row.setInt(2, names.project(new ProjectId(job.user(), job.spec().project())));
    row.setInt(3, names.user(job.user()));
    row.setString(4, job.spec().name());
    row.setInt(5, job.spec().kind().ordinal());
    row.setInt(6, job.taskCount());
    row.setInt(7, job.spec().priority());
    long waiting = waiting(job.spec());
    row.setLong(8, waiting);
    row.setLong(9, job.taskCount() - waiting);
    row.setLong(10, job.submittedMillis());
    row.setString(11, job.requestKey().isEmpty() ? null : job.requestKey());
    row.setString(12, JsonColumns.command(job.spec().stages().getFirst().command()));
    row.setString(13, job.session());
  }

  private static void bindSpec(RowSink row, JobAdded job) throws SQLException {
    row.setLong(1, job.job().value());
    row.setString(2, JsonColumns.spec(job.spec()));
  }

  /** Tasks that begin with waiting for others. */
  private static long waiting(JobSpec spec) {
    return spec.stages().stream()
        .filter(stage -> !StageGraph.predecessors(stage).isEmpty())
        .mapToLong(Stage::taskCount)
        .sum();
  }

  private static void bindChanged(RowSink row, JobChanged change) throws SQLException {
    int[] counts = change.countsByState();
    row.setInt(1, Codes.status(change));
    for (int i = 0; i < counts.length; i++) {
      row.setInt(2 + i, counts[i]);
    }
    row.setLong(10, change.settledMillis());
    row.setInt(11, change.priority());
    row.setLong(12, change.job().value());
  }

  private static void refuseUnknown(JobChanged change) {
    throw new StoreException("Job " + change.job() + " changed but was never added.");
  }
}
