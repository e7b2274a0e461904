package dev.imker.server.live;

import dev.imker.model.JobId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * When jobs left memory. A job changes only while it is in memory, so what was read of one is still
 * true if it has not been in memory, and left it, since before the reading.
 */
final class Departures {
  private static final int REMEMBERED = 10_000;

  private final long epoch;
  private final Map<JobId, Long> last = new LinkedHashMap<>();
  private long count;
  private long forgotten;

  public Departures(long epoch) {
    this.epoch = epoch;
  }

  public void left(JobId job) {
    count++;
    last.remove(job);
    last.put(job, count);
    if (last.size() > REMEMBERED) {
      Map.Entry<JobId, Long> eldest = last.entrySet().iterator().next();
      forgotten = eldest.getValue();
      last.remove(eldest.getKey());
    }
  }

  public MemoryMoment now() {
    return new MemoryMoment(epoch, count);
  }

  /** Whether a job may have left since. */
  public boolean maybeSince(JobId job, MemoryMoment moment) {
    return moment.epoch() != epoch
        || moment.departures() < forgotten
        || moment.departures() < last.getOrDefault(job, 0L);
  }
}
