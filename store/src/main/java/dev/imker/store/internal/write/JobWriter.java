package dev.imker.store.internal.write;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Writes rows of jobs. */
final class JobWriter {
  private static final String ADD =
      Codes.sql(
          """
          INSERT INTO job (id, project, pool_user, name, kind, task_count, priority, status,
            waiting, ready, running, done, failed, blocked, auto_blocked, cancelled,
            submitted_at, settled_at, request_key, command, session)
          VALUES (:id, :project, :pool_user, :name, :kind, :task_count, :priority, {job.OPEN},
            :waiting, :ready, 0, 0, 0, 0, 0, 0, :submitted_at, -1, :request_key, :command, :session)
          """);
  private static final String SPECIFY = "INSERT INTO job_spec (job, spec) VALUES (:job, :spec)";
  private static final String CHANGE =
      """
      UPDATE job SET status = :status, waiting = :waiting, ready = :ready, running = :running,
        done = :done, failed = :failed, blocked = :blocked, auto_blocked = :auto_blocked, cancelled = :cancelled,
        settled_at = :settled_at, priority = :priority
      WHERE id = :id
      """;

  /** The columns with the numbers of tasks, in the order of their states. */
  private static final List<String> COUNTS =
      Arrays.stream(TaskState.values())
          .map(state -> state.name().toLowerCase(Locale.ROOT))
          .toList();

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
        connection,
        "UPDATE job SET phase = :phase WHERE id = :id",
        bind("phase", job.phase()),
        bind("id", job.job().value()));
  }

  void changeSpec(SpecChanged job) throws SQLException {
    flush();
    Rows.update(
        connection,
        "UPDATE job_spec SET spec = :spec WHERE job = :job",
        bind("spec", JsonColumns.spec(job.spec())),
        bind("job", job.job().value()));
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
    row.setLong("id", job.job().value());
    row.setInt("project", names.project(new ProjectId(job.user(), job.spec().project())));
    row.setInt("pool_user", names.user(job.user()));
    row.setString("name", job.spec().name());
    row.setInt("kind", job.spec().kind().ordinal());
    row.setInt("task_count", job.taskCount());
    row.setInt("priority", job.spec().priority());
    long waiting = waiting(job.spec());
    row.setLong("waiting", waiting);
    row.setLong("ready", job.taskCount() - waiting);
    row.setLong("submitted_at", job.submittedMillis());
    row.setString("request_key", job.requestKey().isEmpty() ? null : job.requestKey());
    row.setString("command", JsonColumns.command(job.spec().stages().getFirst().command()));
    row.setString("session", job.session());
  }

  private static void bindSpec(RowSink row, JobAdded job) throws SQLException {
    row.setLong("job", job.job().value());
    row.setString("spec", JsonColumns.spec(job.spec()));
  }

  /** Tasks that start in the state WAITING. */
  private static long waiting(JobSpec spec) {
    return spec.stages().stream()
        .filter(stage -> !StageGraph.predecessors(stage).isEmpty())
        .mapToLong(Stage::taskCount)
        .sum();
  }

  private static void bindChanged(RowSink row, JobChanged change) throws SQLException {
    int[] counts = change.countsByState();
    row.setInt("status", Codes.status(change));
    for (int i = 0; i < counts.length; i++) {
      row.setInt(COUNTS.get(i), counts[i]);
    }
    row.setLong("settled_at", change.settledMillis());
    row.setInt("priority", change.priority());
    row.setLong("id", change.job().value());
  }

  private static void refuseUnknown(JobChanged change) {
    throw new StoreException("Job " + change.job() + " changed but was never added.");
  }
}
