package dev.imker.store.internal.write;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.ProjectId;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.JobAdded;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.recent.RecentMap;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.JsonColumns;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.TaskKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Sums up what attempts used, in the transaction that ends them: an attempt ends once, so it counts
 * once. Sums of a transaction are gathered here and written as one row each, so that ten thousand
 * short tasks cost a handful of rows. What is needed of attempts and jobs is remembered from when
 * they began, and read from the database if that was before a restart or a failed transaction.
 */
final class UsageLedger {
  private static final int JOBS_REMEMBERED = 10_000;
  private static final double MEGABYTE = 1 << 20;
  private static final List<String> COLUMNS =
      List.of(
          "attempts",
          "wasted_attempts",
          "cpu_millis",
          "wasted_cpu_millis",
          "wall_millis",
          "wasted_wall_millis",
          "bytes_in",
          "bytes_out",
          "core_millis",
          "gpu_millis",
          "memory_mb_seconds");
  private static final String ADD =
      "INSERT INTO usage_sum (day, project, node, %s) VALUES (:day, :project, :node, %s) ON CONFLICT (day, project, node) DO UPDATE SET %s"
          .formatted(
              String.join(", ", COLUMNS),
              COLUMNS.stream().map(":"::concat).collect(Collectors.joining(", ")),
              COLUMNS.stream()
                  .map(column -> "%1$s = usage_sum.%1$s + excluded.%1$s".formatted(column))
                  .collect(Collectors.joining(", ")));
  private static final String SELECT_LEASE =
      """
      SELECT node, leased_at FROM task WHERE id = :task AND token = :token AND outcome IS NULL
      UNION ALL SELECT node, leased_at FROM copy_lease WHERE task = :task AND token = :token
      """;
  private static final String SELECT_JOB =
      """
      SELECT u.name, p.name, s.spec FROM job j JOIN pool_user u ON u.id = j.pool_user
      JOIN project p ON p.id = j.project JOIN job_spec s ON s.job = j.id WHERE j.id = :id
      """;

  private record Key(int day, int project, int node) {}

  private record Begun(int node, long atMillis, Granted had) {}

  /** The input sizes of a job's attempts: tasks before ends[i] have bytesIn[i]. */
  private record Costs(int project, int user, int[] ends, long[] bytesIn) {
    long bytesIn(int index) {
      int at = Arrays.binarySearch(ends, index);
      int stage = at >= 0 ? at + 1 : -at - 1;
      return stage < bytesIn.length ? bytesIn[stage] : 0;
    }
  }

  private static final class Sum {
    private long attempts;
    private long wastedAttempts;
    private long cpuMillis;
    private long wastedCpuMillis;
    private long wallMillis;
    private long wastedWallMillis;
    private double coreMillis;
    private double gpuMillis;
    private double memoryMbSeconds;
    private long bytesIn;
    private long bytesOut;

    void attempt(boolean wasted) {
      attempts++;
      wastedAttempts += wasted ? 1 : 0;
    }

    void took(boolean wasted, long cpu, long wall, Granted had) {
      cpuMillis += cpu;
      wastedCpuMillis += wasted ? cpu : 0;
      wallMillis += wall;
      wastedWallMillis += wasted ? wall : 0;
      coreMillis += (double) wall * had.of("cores") / Requirements.HUNDREDTHS;
      gpuMillis += (double) wall * had.of("gpus") / Requirements.HUNDREDTHS;
      memoryMbSeconds += wall / 1000.0 * had.of("memory") / MEGABYTE;
    }

    void moved(long in, long out) {
      bytesIn += in;
      bytesOut += out;
    }
  }

  private final Connection connection;
  private final Names names;
  private final BlobLedger blobs;
  private final Map<Long, Begun> begun = new HashMap<>();
  private final Map<JobId, Costs> jobs = RecentMap.ofLastUsed(JOBS_REMEMBERED);
  private final Map<Key, Sum> sums = new HashMap<>();

  UsageLedger(Connection connection, Names names, BlobLedger blobs) {
    this.connection = connection;
    this.names = names;
    this.blobs = blobs;
  }

  void added(JobAdded job) throws SQLException {
    jobs.put(job.job(), costs(new ProjectId(job.user(), job.spec().project()), job.spec()));
    int user = names.user(job.user());
    for (Stage stage : job.spec().stages()) {
      stage
          .inputs()
          .forEach(input -> blobs.own(user, input.blob(), input.size(), job.submittedMillis()));
    }
  }

  void started(AttemptStarted start) throws SQLException {
    begun.put(
        start.token().value(),
        new Begun(names.node(start.node()), start.atMillis(), Granted.parse(start.granted())));
  }

  /** To be called before the attempt's row changes. */
  void ended(AttemptEnded end) throws SQLException {
    Begun attempt = begun.remove(end.token().value());
    if (attempt == null) {
      Optional<Begun> read = readLease(end);
      if (read.isEmpty()) {
        return; // it has already ended, or the writer of tasks reports it
      }
      attempt = read.get();
    }
    Costs job = costs(end.task().job()).orElse(null);
    if (job == null) {
      return; // the job was removed
    }
    AttemptReport report = end.report();
    int day = (int) TimeUnit.MILLISECONDS.toDays(end.atMillis());
    boolean wasted = report.outcome() != AttemptOutcome.SUCCEEDED;
    Sum sum = sums.computeIfAbsent(new Key(day, job.project, attempt.node), key -> new Sum());
    sum.attempt(wasted);
    sum.took(wasted, report.cpuMillis(), wallMillis(end, attempt), attempt.had);
    sum.moved(report.startedMillis() > 0 ? job.bytesIn(end.task().index()) : 0, bytesOut(report));
    own(job.user, report, end.atMillis());
  }

  /**
   * It was counted when it was withdrawn from its agent; now its usage is known. A removed job may
   * still have rows of tasks, but its owner is no longer known.
   */
  void stopped(AttemptStopped stop) throws SQLException {
    Costs job = costs(stop.task().job()).orElse(null);
    if (job == null) {
      return;
    }
    AttemptReport report = stop.report();
    int day = (int) TimeUnit.MILLISECONDS.toDays(stop.atMillis());
    Key key = new Key(day, job.project, names.node(stop.node()));
    Sum sum = sums.computeIfAbsent(key, _ -> new Sum());
    Granted had = readGranted(stop.task(), stop.token());
    sum.took(true, report.cpuMillis(), report.runMillis(), had);
    sum.moved(job.bytesIn(stop.task().index()), 0);
  }

  private static long wallMillis(AttemptEnded end, Begun attempt) {
    AttemptReport report = end.report();
    if (report.outcome() == AttemptOutcome.LOST) {
      return Math.max(0, end.atMillis() - attempt.atMillis);
    }
    return report.runMillis();
  }

  private static long bytesOut(AttemptReport report) {
    long bytes = report.stdout().size() + report.stderr().size();
    for (ResultFile file : report.results()) {
      bytes += file.size();
    }
    return bytes;
  }

  private void own(int user, AttemptReport report, long atMillis) {
    own(user, report.stdout(), atMillis);
    own(user, report.stderr(), atMillis);
    for (ResultFile file : report.results()) {
      blobs.own(user, file.blob(), file.size(), atMillis);
    }
  }

  private void own(int user, CapturedOutput output, long atMillis) {
    BlobId blob = output.blob();
    if (blob != null) {
      blobs.own(user, blob, output.size(), atMillis);
    }
  }

  private Optional<Begun> readLease(AttemptEnded end) throws SQLException {
    Granted had = readGranted(end.task(), end.token());
    return Rows.first(
        connection,
        row -> new Begun(row.getInt(1), row.getLong(2), had),
        SELECT_LEASE,
        bind("task", TaskKey.of(end.task())),
        bind("token", end.token().value()));
  }

  private Granted readGranted(TaskId task, LeaseToken token) throws SQLException {
    return Rows.first(
            connection,
            row -> Granted.parse(row.getString(1)),
            "SELECT amounts FROM granted WHERE task = :task AND token = :token",
            bind("task", TaskKey.of(task)),
            bind("token", token.value()))
        .orElse(Granted.ONE_CORE);
  }

  /** Empty if there is no such job, such as after it was removed. */
  private Optional<Costs> costs(JobId id) throws SQLException {
    Costs known = jobs.get(id);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<Costs> read =
        Rows.first(
            connection,
            row ->
                costs(
                    new ProjectId(row.getString(1), row.getString(2)),
                    JsonColumns.spec(id, row.getString(3))),
            SELECT_JOB,
            bind("id", id.value()));
    read.ifPresent(costs -> jobs.put(id, costs));
    return read;
  }

  private Costs costs(ProjectId project, JobSpec spec) throws SQLException {
    int stages = spec.stages().size();
    int[] ends = new int[stages];
    long[] bytesIn = new long[stages];
    long end = 0;
    for (int i = 0; i < stages; i++) {
      Stage stage = spec.stages().get(i);
      end += stage.taskCount();
      ends[i] = (int) end;
      bytesIn[i] = bytesPerTask(stage);
    }
    return new Costs(names.project(project), names.user(project.user()), ends, bytesIn);
  }

  /** For files that go only to tasks with a certain parameter value, the mean counts. */
  private static long bytesPerTask(Stage stage) {
    double bytes = 0;
    for (InputFile input : stage.inputs()) {
      double share = 1;
      for (SweepAxis axis : stage.sweep()) {
        share = axis.name().equals(input.param()) ? 1.0 / axis.size() : share;
      }
      bytes += input.size() * share;
    }
    return Math.round(bytes);
  }

  /** The owner of a job in the database, by the user's number. */
  int userOf(TaskId task) throws SQLException {
    return costs(task.job())
        .orElseThrow(() -> new StoreException("Job " + task.job() + " was never added."))
        .user;
  }

  void removed(JobId job) {
    jobs.remove(job);
  }

  void flush() throws SQLException {
    for (Map.Entry<Key, Sum> entry : sums.entrySet()) {
      Key key = entry.getKey();
      Sum sum = entry.getValue();
      Rows.update(
          connection,
          ADD,
          bind("day", key.day),
          bind("project", key.project),
          bind("node", key.node),
          bind("attempts", sum.attempts),
          bind("wasted_attempts", sum.wastedAttempts),
          bind("cpu_millis", sum.cpuMillis),
          bind("wasted_cpu_millis", sum.wastedCpuMillis),
          bind("wall_millis", sum.wallMillis),
          bind("wasted_wall_millis", sum.wastedWallMillis),
          bind("core_millis", Math.round(sum.coreMillis)),
          bind("gpu_millis", Math.round(sum.gpuMillis)),
          bind("memory_mb_seconds", Math.round(sum.memoryMbSeconds)),
          bind("bytes_in", sum.bytesIn),
          bind("bytes_out", sum.bytesOut));
    }
    sums.clear();
  }

  void discard() {
    sums.clear();
    begun.clear();
    jobs.clear();
  }
}
