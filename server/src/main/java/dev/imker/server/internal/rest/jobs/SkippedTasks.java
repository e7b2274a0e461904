package dev.imker.server.internal.rest.jobs;

import dev.imker.model.JobId;
import dev.imker.model.recent.RecentMap;
import dev.imker.store.Reads;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How many of the failed tasks of jobs never ran, because what they depend on failed. That is
 * counted anew when the number of failed ones changes; while a job goes on, not all the time.
 */
final class SkippedTasks {
  private static final int MAX_JOBS = 10_000;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int TIMES_AS_LONG = 50;

  private record Known(long failed, boolean settled, long skipped, long atNanos, long tookNanos) {
    boolean isYoung(long nowNanos) {
      return nowNanos - atNanos < Math.max(PAUSE_NANOS, TIMES_AS_LONG * tookNanos);
    }
  }

  private final Reads reads;

  private final Map<JobId, Known> known = RecentMap.ofNewest(MAX_JOBS);

  SkippedTasks(Reads reads) {
    this.reads = reads;
  }

  /**
   * @param failed how many are in the state FAILED
   * @param settled whether all tasks of the job have come to an end
   */
  long of(JobId job, long failed, boolean settled) {
    if (failed == 0) {
      return 0;
    }
    long from = System.nanoTime();
    synchronized (known) {
      @Nullable Known last = known.get(job);
      boolean same = last != null && last.failed == failed && last.settled == settled;
      if (last != null && (same || (!settled && last.isYoung(from)))) {
        return Math.min(failed, last.skipped);
      }
    }
    long skipped = Math.max(0, failed - reads.failedThatRan(job));
    synchronized (known) {
      long now = System.nanoTime();
      known.put(job, new Known(failed, settled, skipped, now, now - from));
    }
    return skipped;
  }
}
