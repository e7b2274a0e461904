package dev.imker.agent.internal.lease;

import com.google.protobuf.ByteString;
import dev.imker.agent.internal.cache.BlobClient;
import dev.imker.agent.internal.cache.BlobException;
import dev.imker.agent.internal.cache.Sha256;
import dev.imker.agent.internal.system.HeldFile;
import dev.imker.agent.internal.work.FoundResult;
import dev.imker.agent.internal.work.TaskFolder;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.Lease;
import dev.imker.model.SignalNames;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.ResultFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Creates the report of a finished run: outcome, output, results. */
public final class Reporting {
  /** Output up to this size travels in the report itself. */
  static final int INLINE_BYTES = 16 << 10;

  private static final int PARALLEL_UPLOADS = 4;
  private static final int MAX_ERROR_CHARS = 10_000;

  /** Files from this size on are sent two at a time, so that they hold up nothing smaller. */
  private static final long LARGE_BYTES = 64 << 20;

  private static final int PARALLEL_LARGE_UPLOADS = 2;

  private final BlobClient blobs;
  private final Semaphore uploads = new Semaphore(PARALLEL_UPLOADS);
  private final Semaphore largeUploads = new Semaphore(PARALLEL_LARGE_UPLOADS);

  public Reporting(BlobClient blobs) {
    this.blobs = blobs;
  }

  /** How much a run wrote, in bytes. */
  public record OutputSize(long out, long err) {
    public static OutputSize of(TaskRun run) throws IOException {
      TaskFolder folder = folder(run);
      return new OutputSize(size(folder.stdout()), size(folder.stderr()));
    }
  }

  /** Whether a report needs the server's help: something has to be uploaded first. */
  public static boolean needsUpload(TaskRun run, TaskRun.Exit exit, OutputSize output)
      throws IOException {
    if (run.ending != null && run.ending.cause() != TaskRun.Cause.OVERTIME) {
      return false;
    }
    TaskFolder folder = folder(run);
    boolean results =
        exit.process().succeeded() && run.task != null && !folder.hasNoResults(run.task.outputs());
    return results || output.out() > INLINE_BYTES || output.err() > INLINE_BYTES;
  }

  /** The report without anything that has to be uploaded; of long output only the end. */
  public static Finished quick(TaskRun run, TaskRun.Exit exit, OutputSize output)
      throws IOException {
    Finished.Builder report = outcome(run, exit);
    TaskFolder folder = folder(run);
    ByteString stdout = lastBytes(folder.stdout(), output.out(), run.mask);
    ByteString stderr = lastBytes(folder.stderr(), output.err(), run.mask);
    report
        .setStdout(stdout)
        .setStdoutSize(stdout.size())
        .setStderr(stderr)
        .setStderrSize(stderr.size());
    MissingProgram.name(report);
    return report.build();
  }

  /** The whole report; uploads what has to be, and waits for a server that is away. */
  public Finished full(TaskRun run, TaskRun.Exit exit) throws IOException, InterruptedException {
    Finished.Builder report = outcome(run, exit);
    TaskFolder folder = folder(run);
    Lease lease = run.held.lease();
    try {
      run.mask.cover(folder.stdout());
      run.mask.cover(folder.stderr());
      long outSize = size(folder.stdout());
      report.setStdoutSize(outSize);
      if (outSize > INLINE_BYTES) {
        report.setStdoutSha256(upload(folder.stdout(), lease).sha256());
      } else {
        report.setStdout(lastBytes(folder.stdout(), outSize, run.mask));
      }
      long errSize = size(folder.stderr());
      report.setStderrSize(errSize);
      if (errSize > INLINE_BYTES) {
        report.setStderrSha256(upload(folder.stderr(), lease).sha256());
      } else {
        report.setStderr(lastBytes(folder.stderr(), errSize, run.mask));
        MissingProgram.name(report);
      }
      if (report.getOutcome() == Outcome.SUCCEEDED && run.task != null) {
        uploadResults(folder.results(run.task.outputs()), lease, report);
      }
    } catch (BlobException e) {
      report.setOutcome(e.isTemporary() ? Outcome.GIVEN_BACK : Outcome.FAILED);
      report.clearResults().setError(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      report
          .setOutcome(Outcome.FAILED)
          .clearResults()
          .setError("Its results could not be read: " + SetupFailures.inWords(e));
    } catch (ImkerException e) {
      report.setOutcome(Outcome.FAILED).clearResults().setError(String.valueOf(e.getMessage()));
    }
    return report.build();
  }

  private void uploadResults(List<FoundResult> results, Lease lease, Finished.Builder report)
      throws IOException, InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<BlobId>> work =
          results.stream().map(found -> (Callable<BlobId>) () -> store(found, lease).blob).toList();
      List<Future<BlobId>> uploaded = threads.invokeAll(work);
      for (int i = 0; i < results.size(); i++) {
        FoundResult found = results.get(i);
        report.addResults(
            ResultFile.newBuilder()
                .setPath(found.path())
                .setSha256(uploaded.get(i).get().sha256())
                .setSize(found.size())
                .setExecutable(found.executable()));
      }
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case RuntimeException runtime -> throw runtime;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  /** A file that the server has. */
  record Stored(BlobId blob, long size) {}

  Stored store(FoundResult found, Lease lease) throws IOException, InterruptedException {
    try (HeldFile held = found.hold()) {
      return new Stored(upload(held.path(), lease), Files.size(held.path()));
    } catch (AccessDeniedException e) {
      String why = e.getReason() == null ? "the agent may not read it" : e.getReason();
      throw new AccessDeniedException(found.path(), null, why);
    }
  }

  private BlobId upload(Path file, Lease lease) throws IOException, InterruptedException {
    Semaphore permits = Files.size(file) < LARGE_BYTES ? uploads : largeUploads;
    permits.acquire();
    try {
      BlobId blob = Sha256.of(file);
      blobs.upload(blob, file, lease);
      return blob;
    } finally {
      permits.release();
    }
  }

  /** The report of a run whose output or results could not be read: it fails, and that counts. */
  public static Finished withoutResults(TaskRun run, TaskRun.Exit exit, Throwable failure) {
    Finished.Builder report = outcome(run, exit);
    if (run.ending == null) {
      boolean temporary = failure instanceof BlobException blob && blob.isTemporary();
      report
          .setOutcome(temporary ? Outcome.GIVEN_BACK : Outcome.FAILED)
          .setError("Its results could not be read: " + SetupFailures.inWords(failure));
    }
    return report.build();
  }

  private static Finished.Builder outcome(TaskRun run, TaskRun.Exit exit) {
    Finished.Builder report =
        Finished.newBuilder()
            .setLease(run.held.wire())
            .setExitCode(exit.process().exitCode())
            .setStartedMillis(run.startedMillis)
            .setEndedMillis(exit.endedMillis())
            .setPausedMillis(exit.frozenMillis())
            .setCpuMillis(exit.process().cpuMillis())
            .setPeakMemoryBytes(exit.process().peakMemoryBytes())
            .setOutOfMemory(run.ending == null && exit.process().outOfMemory());
    TaskRun.Ending ending = run.ending;
    if (ending != null) {
      return report.setOutcome(outcome(ending.cause())).setError(ending.reason());
    }
    if (!exit.process().overrun().isEmpty()) {
      return report.setOutcome(Outcome.FAILED).setError(exit.process().overrun());
    }
    if (exit.process().succeeded()) {
      return report.setOutcome(Outcome.SUCCEEDED);
    }
    int signal = exit.process().signal();
    return report
        .setOutcome(Outcome.FAILED)
        .setError(
            signal > 0
                ? "Killed by " + SignalNames.of(signal) + "."
                : "Ended with " + SignalNames.ofExitCode(exit.process().exitCode()) + ".");
  }

  public static Outcome outcome(TaskRun.Cause cause) {
    return switch (cause) {
      case STOPPED, FORGOTTEN -> Outcome.STOPPED;
      case OVERTIME, OVERRUN -> Outcome.FAILED;
      case GIVEN_BACK -> Outcome.GIVEN_BACK;
    };
  }

  /** The report of a lease whose command never ran. */
  public static Finished withoutRun(HeldLease held, Outcome outcome, int exitCode, String error) {
    return Finished.newBuilder()
        .setLease(held.wire())
        .setOutcome(outcome)
        .setExitCode(exitCode)
        .setEndedMillis(System.currentTimeMillis())
        .setError(error.length() <= MAX_ERROR_CHARS ? error : error.substring(0, MAX_ERROR_CHARS))
        .build();
  }

  private static TaskFolder folder(TaskRun run) {
    if (run.folder == null) {
      throw new IllegalStateException("a run without a folder: " + run.held.lease());
    }
    return run.folder;
  }

  /** 0 also when the file was never made. */
  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private static ByteString lastBytes(Path file, long size, SecretMask mask) throws IOException {
    if (size == 0) {
      return ByteString.EMPTY;
    }
    byte[] bytes = new byte[(int) Math.min(size, INLINE_BYTES + mask.longest())];
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      in.seek(size - bytes.length);
      in.readFully(bytes);
    }
    mask.cover(bytes, bytes.length);
    int shown = (int) Math.min(size, INLINE_BYTES);
    return ByteString.copyFrom(bytes, bytes.length - shown, shown);
  }
}
