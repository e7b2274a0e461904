package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.model.job.Requirements;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** Decides which running tasks continue when there are fewer cores than they have. */
final class CoreShare {
  private CoreShare() {}

  /**
   * Those for which nothing is left.
   *
   * @param running the oldest first, which go on first
   */
  static Set<TaskRun> beyond(Collection<TaskRun> running, int cores) {
    Set<TaskRun> beyond = new LinkedHashSet<>();
    long left = (long) cores * Requirements.HUNDREDTHS;
    for (TaskRun run : running) {
      long needed = run.held.granted().of("cores");
      if (needed > left) {
        beyond.add(run);
      } else {
        left -= needed;
      }
    }
    return beyond;
  }
}
