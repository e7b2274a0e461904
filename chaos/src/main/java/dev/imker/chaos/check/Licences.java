package dev.imker.chaos.check;

import dev.imker.chaos.check.PoolWrites.TaskWrite;
import dev.imker.chaos.check.Violation.Promise;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tasks that take a licence each, of which the whole pool has a few: never do more of them run, by
 * the tables of the pool, whoever leads and whatever became of their machines.
 */
public final class Licences {
  /** What tasks of jobs ask for whose names begin so. */
  public static final String LICENSED = "licensed";

  public static final int AMOUNT = 3;

  /** Within a transaction tasks begin before others end. */
  private static final long SAME_MILLIS = 1_000;

  private Licences() {}

  static List<Violation> check(History history) {
    Set<JobId> licensed = new HashSet<>();
    for (FinalJob job : history.jobs()) {
      if (job.name().startsWith(LICENSED)) {
        licensed.add(job.id());
      }
    }
    List<Violation> violations = new ArrayList<>();
    Set<TaskId> running = new HashSet<>();
    long exceededSince = Long.MAX_VALUE;
    for (TaskWrite write : history.writes().tasks()) {
      if (!licensed.contains(write.task().job())) {
        continue;
      }
      if (running.size() > AMOUNT && write.atMillis() - exceededSince > SAME_MILLIS) {
        violations.add(
            new Violation(
                Promise.AMOUNTS_ARE_KEPT,
                "%d tasks had one of %d licences: %s".formatted(running.size(), AMOUNT, running)));
        exceededSince = Long.MAX_VALUE;
      }
      boolean was = running.size() > AMOUNT;
      if (write.isDispatch()) {
        running.add(write.task());
      } else {
        running.remove(write.task());
      }
      exceededSince = was ? exceededSince : write.atMillis();
    }
    return violations;
  }
}
