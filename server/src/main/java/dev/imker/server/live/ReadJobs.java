package dev.imker.server.live;

import dev.imker.model.JobId;
import dev.imker.store.JobRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What was read of jobs that are not in memory, for the command that is applied next, and whether
 * it still holds.
 */
public final class ReadJobs {
  private final Departures departures;
  private final List<JobId> goneInTurn = new ArrayList<>();
  private Map<JobId, RecalledJob> offered = Map.of();

  public ReadJobs(long epoch) {
    departures = new Departures(epoch);
  }

  /** What was read for the command that is applied next; nothing of it is used after that. */
  public void offer(Map<JobId, RecalledJob> jobsRead) {
    offered = jobsRead;
  }

  /**
   * A job as it is on disk.
   *
   * @param whole with all of its tasks
   * @throws NotInMemoryException if it has to be read first
   */
  public RecalledJob get(JobId id, boolean whole) {
    RecalledJob read = offered.get(id);
    if (read == null || (whole && !read.isWhole()) || departures.maybeSince(id, read.seen())) {
      throw new NotInMemoryException(id, whole, departures.now());
    }
    return read;
  }

  /**
   * Whether there is such a job, and it is settled.
   *
   * @throws NotInMemoryException if its record has to be read first
   */
  public boolean isSettled(JobId id) {
    return get(id, false).record().map(JobRecord::isSettled).orElse(false);
  }

  /** A job left memory. */
  public void left(JobId id) {
    departures.left(id);
  }

  /** What is on disk of a job that is not in memory becomes something else with this turn. */
  public void gone(JobId id) {
    left(id);
    goneInTurn.add(id);
  }

  /** Whoever read of them before the turn was on disk has read what is no longer true. */
  public void turnWritten() {
    goneInTurn.forEach(departures::left);
    goneInTurn.clear();
  }
}
