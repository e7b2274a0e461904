package dev.imker.bench;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.TasksChanged;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.RecoverySink;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobUpload;
import dev.imker.store.blobs.TieredBlobs;
import dev.imker.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * What the store costs: row changes a second by batch size (every batch one durable commit, two row
 * changes per task), time to open and to recover a million tasks, and writing of blobs.
 */
public final class StoreBench {
  private static final long MIN_NANOS_PER_FIGURE = 3_000_000_000L;
  private static final int MILLION = 1_000_000;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final AgentId AGENT = new AgentId("agent-1");
  private static final NodeId NODE = new NodeId("node-1");

  private final Path folder;
  private final PrintStream out;

  private StoreBench(Path folder, PrintStream out) {
    this.folder = folder;
    this.out = out;
  }

  /** Runs on the folder given, or on a temporary one. */
  public static void main(String[] args) throws IOException {
    Path parent =
        args.length > 0 ? Path.of(args[0]) : Path.of(System.getProperty("java.io.tmpdir"));
    run(parent, System.out);
  }

  /** Runs in a new folder under {@code parent}, which is removed afterwards. */
  public static void run(Path parent, PrintStream out) throws IOException {
    Path folder = Files.createTempDirectory(parent, "imker-store-bench-");
    try {
      new StoreBench(folder, out).run();
    } finally {
      deleteAll(folder);
    }
  }

  private void run() throws IOException {
    out.println("| what | figure |");
    out.println("|---|---:|");
    flushing();
    for (int rows : new int[] {1, 10, 100, 1000, 10_000}) {
      writing(rows, AttemptReport.withoutRun(AttemptOutcome.SUCCEEDED, 2, ""), "no-op tasks");
    }
    writing(1000, commandReport(), "commands");
    opening();
    recovering();
    blobs();
  }

  private void writing(int rowsPerCommit, AttemptReport report, String what) throws IOException {
    Path place = fresh();
    try (PoolStore store = SqliteStore.open(place)) {
      store.beginEpoch();
      store.commit(List.of(job(1, JobSpec.MAX_TASKS)));
      TaskWriting writing = new TaskWriting(store, rowsPerCommit, report);
      writing.runFor(MIN_NANOS_PER_FIGURE / 3);
      long rowsBefore = writing.rows;
      long cpuBefore = THREADS.getCurrentThreadCpuTime();
      long from = System.nanoTime();
      writing.runFor(MIN_NANOS_PER_FIGURE);
      double perSecond = (writing.rows - rowsBefore) / seconds(from);
      double cpuNanos = THREADS.getCurrentThreadCpuTime() - cpuBefore;
      String text =
          String.format(
              Locale.ROOT,
              "row changes/s, %s, commits of %d (%.0f commits/s, longest %.0f ms, CPU %.2f us a"
                  + " row)",
              what,
              rowsPerCommit,
              perSecond / rowsPerCommit,
              writing.longestMillis(),
              cpuNanos / 1e3 / (writing.rows - rowsBefore));
      line(text, perSecond);
    }
  }

  /** What the disk allows at best: nothing durable can be faster than this. */
  private void flushing() throws IOException {
    Path file = fresh().resolve("file");
    ByteBuffer page = ByteBuffer.allocate(4096);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      int flushes = 0;
      long from = System.nanoTime();
      while (System.nanoTime() - from < MIN_NANOS_PER_FIGURE / 3) {
        channel.write(page.rewind());
        channel.force(false);
        flushes++;
      }
      line("for comparison: flushes/s of this disk, 4 KiB each", flushes / seconds(from));
    }
  }

  private void opening() throws IOException {
    Path place = fresh();
    for (String what : List.of("open an empty folder", "open again", "open again")) {
      long from = System.nanoTime();
      SqliteStore.open(place).close();
      line("ms to " + what + " and close", (System.nanoTime() - from) / 1e6);
    }
  }

  private void recovering() throws IOException {
    Path place = fresh();
    try (PoolStore store = SqliteStore.open(place)) {
      store.beginEpoch();
      store.commit(List.of(job(1, MILLION)));
    }
    recover("1 M READY tasks", place);
    cancelling();
    try (PoolStore store = SqliteStore.open(place)) {
      TaskWriting writing = new TaskWriting(store, 10_000, commandReport());
      writing.settle(MILLION - 1);
    }
    recover("1 M settled tasks of a live job", place);
    try (Stream<Path> files = Files.list(place)) {
      for (Path file : files.sorted().toList()) {
        line("MB in " + file.getFileName() + " of these", Files.size(file) / 1e6);
      }
    }
  }

  private void cancelling() throws IOException {
    try (PoolStore store = SqliteStore.open(fresh())) {
      store.commit(List.of(job(1, MILLION)));
      long from = System.nanoTime();
      store.commit(
          List.of(new TasksChanged(new JobId(1), 0, MILLION, TaskState.CANCELLED, 0, 0, 1)));
      line("ms to cancel 1 M READY tasks", seconds(from) * 1e3);
    }
  }

  private void recover(String what, Path place) {
    Counting counting = new Counting();
    long from = System.nanoTime();
    try (PoolStore store = SqliteStore.open(place)) {
      store.load(counting);
      double millis = (System.nanoTime() - from) / 1e6;
      line("ms to open and recover " + what + " (" + counting.tasks + " rows told)", millis);
    }
  }

  private void blobs() throws IOException {
    BlobStore blobs = TieredBlobs.open(fresh());
    byte[] chunk = new byte[1 << 16];
    new Random(1).nextBytes(chunk);
    int chunks = 16_384;
    long from = System.nanoTime();
    BlobId blob = write(blobs, chunk, chunks);
    line("MB/s writing a blob of 1 GiB", chunks * chunk.length / 1e6 / seconds(from));
    from = System.nanoTime();
    try (var in = blobs.open(blob)) {
      byte[] buffer = new byte[1 << 16];
      while (in.read(buffer) >= 0) {}
    }
    line("MB/s reading it", chunks * chunk.length / 1e6 / seconds(from));
    int small = 500;
    from = System.nanoTime();
    for (int i = 0; i < small; i++) {
      chunk[0] = (byte) i;
      chunk[1] = (byte) (i >> 8);
      write(blobs, chunk, 1);
    }
    line("blobs of 64 KiB written/s", small / seconds(from));
    blobs.close();
    tiny();
  }

  /** Results of a few bytes, as many tasks at a time bring them. */
  private void tiny() throws IOException {
    int count = 200_000;
    Path place = fresh();
    try (BlobStore blobs = TieredBlobs.open(place)) {
      long from = System.nanoTime();
      try (ExecutorService writers = Executors.newFixedThreadPool(32)) {
        for (int i = 0; i < count; i++) {
          byte[] content =
              String.format(Locale.ROOT, "%06d", i).getBytes(StandardCharsets.US_ASCII);
          writers.execute(() -> writeOrFail(blobs, content));
        }
      }
      line("blobs of 6 bytes written/s, 32 at a time", count / seconds(from));
      disk(place, "200,000 of them");
      List<BlobId> all = new ArrayList<>();
      blobs.forEach(all::add);
      from = System.nanoTime();
      for (int i = 0; i < count; i += 1000) {
        blobs.freeUntouched(all.subList(i, i + 1000), Long.MAX_VALUE, false);
      }
      line("blobs of 6 bytes removed/s", count / seconds(from));
      from = System.nanoTime();
      int slices = 1;
      while (blobs.shrink()) {
        slices++;
      }
      line("ms to give their space back, in " + slices + " slices", 1e3 * seconds(from));
    }
    disk(place, "none left");
  }

  private void disk(Path place, String what) throws IOException {
    try (Stream<Path> walk = Files.walk(place)) {
      List<Path> files = walk.filter(Files::isRegularFile).toList();
      long bytes = 0;
      for (Path file : files) {
        bytes += (Files.size(file) + 4095) / 4096 * 4096;
      }
      line("KB on disk, " + what + " (" + files.size() + " files)", bytes / 1e3);
    }
  }

  private static void writeOrFail(BlobStore blobs, byte[] content) {
    try {
      write(blobs, content, 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BlobId write(BlobStore blobs, byte[] chunk, int chunks) throws IOException {
    try (BlobUpload upload = blobs.upload()) {
      for (int i = 0; i < chunks; i++) {
        upload.write(chunk);
      }
      return upload.finish();
    }
  }

  private static double seconds(long fromNanos) {
    return (System.nanoTime() - fromNanos) / 1e9;
  }

  private void line(String what, double figure) {
    out.printf(Locale.ROOT, "| %s | %,.0f |%n", what, figure);
  }

  private Path fresh() throws IOException {
    return Files.createTempDirectory(folder, "run-");
  }

  private static JobAdded job(long id, int taskCount) {
    return new JobAdded(new JobId(id), "admin", spec(taskCount), taskCount, 1, "");
  }

  private static JobSpec spec(int taskCount) {
    return JobSpec.of(
        "bench",
        "default",
        JobKind.NOOP,
        Stage.of(List.of("true"), List.of(SweepAxis.range("p", 1, taskCount, 1, 0))));
  }

  private static AttemptReport commandReport() {
    byte[] text = "a line of output\n".getBytes(StandardCharsets.UTF_8);
    return new AttemptReport(
        AttemptOutcome.SUCCEEDED,
        0,
        1_790_000_000_000L,
        1_790_000_000_123L,
        12,
        4_000_000,
        new CapturedOutput(text.length, text, null),
        CapturedOutput.NONE,
        List.of(),
        "");
  }

  private static void deleteAll(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Starts and settles one task after the other, as a busy pool does. */
  private static final class TaskWriting {
    private static final int TASKS_IN_FLIGHT = 64;

    private final PoolStore store;
    private final int rowsPerCommit;
    private final AttemptReport report;
    private final List<Change> changes = new ArrayList<>();
    private int started;
    private int settled;
    private long rows;
    private long longestNanos;

    TaskWriting(PoolStore store, int rowsPerCommit, AttemptReport report) {
      this.store = store;
      this.rowsPerCommit = rowsPerCommit;
      this.report = report;
    }

    void runFor(long nanos) {
      longestNanos = 0;
      long end = System.nanoTime() + nanos;
      while (System.nanoTime() < end) {
        commit();
      }
    }

    void settle(int tasks) {
      while (settled < tasks) {
        commit();
      }
    }

    double longestMillis() {
      return longestNanos / 1e6;
    }

    private void commit() {
      changes.clear();
      for (int i = 0; i < rowsPerCommit; i++) {
        boolean full = started - settled >= Math.max(TASKS_IN_FLIGHT, rowsPerCommit);
        changes.add(full || (i % 2 == 1 && settled < started) ? settle() : start());
      }
      long from = System.nanoTime();
      store.commit(changes);
      longestNanos = Math.max(longestNanos, System.nanoTime() - from);
      rows += changes.size();
    }

    private Change start() {
      int index = started++;
      return new AttemptStarted(
          TaskId.of(1, index), LeaseToken.of(1, index), AGENT, NODE, 1, 1_790_000_000_000L);
    }

    private Change settle() {
      int index = settled++;
      return new AttemptEnded(
          TaskId.of(1, index),
          LeaseToken.of(1, index),
          report,
          TaskState.DONE,
          0,
          0,
          1_790_000_000_200L);
    }
  }

  private static final class Counting implements RecoverySink {
    private int tasks;

    @Override
    public void job(JobRecord job, JobSpec spec) {}

    @Override
    public void task(TaskId task, TaskState state, int failures, int losses, int attempts) {
      tasks++;
    }

    @Override
    public void lease(
        Lease lease,
        AgentId agent,
        NodeId node,
        int attempt,
        long startedMillis,
        Granted granted) {}
  }
}
