package dev.imker.server.commands;

import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.server.loop.PoolUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Limits the number of concurrent submissions; large ones count several times. */
public final class SubmissionGate {
  public static final int ROOM = 4096;

  /** Even the largest job must find room beside others. */
  private static final int MAX_PER_JOB = ROOM / 2;

  private static final int VALUES_PER_UNIT = 512;

  private final Semaphore room = new Semaphore(ROOM);

  <T> CompletableFuture<T> pass(List<JobSpec> specs, Supplier<CompletableFuture<T>> submission) {
    int units = (int) Math.min(MAX_PER_JOB, specs.stream().mapToLong(SubmissionGate::units).sum());
    if (!room.tryAcquire(units)) {
      return CompletableFuture.failedFuture(
          new PoolUnavailableException(
              "Too many submissions are in progress; nothing was changed. Try again later."));
    }
    return submission.get().whenComplete((_, _) -> room.release(units));
  }

  private static int units(JobSpec spec) {
    long values = 0;
    for (Stage stage : spec.stages()) {
      values += 1 + stage.inputs().size();
      for (SweepAxis axis : stage.sweep()) {
        List<String> listed = axis.values();
        values += listed == null ? 0 : listed.size();
      }
    }
    return (int) Math.min(MAX_PER_JOB, 1 + values / VALUES_PER_UNIT);
  }
}
