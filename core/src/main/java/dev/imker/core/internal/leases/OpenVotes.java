package dev.imker.core.internal.leases;

import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.Votes;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * RUNNING tasks that need more equal results than nodes are working on, in the order in which they
 * began: other nodes may work on them at the same time.
 */
public final class OpenVotes {
  /** How far to look for a task that suits a node. */
  private static final int MAX_LOOKED_AT = 256;

  private final Set<RunningTask> tasks = new LinkedHashSet<>();

  public int size() {
    return tasks.size();
  }

  /** The first task that suits and still needs votes. */
  public @Nullable RunningTask first(Predicate<RunningTask> suits) {
    Iterator<RunningTask> next = tasks.iterator();
    for (int i = 0; i < MAX_LOOKED_AT && next.hasNext(); i++) {
      RunningTask task = next.next();
      if (!isOpen(task)) {
        next.remove();
      } else if (suits.test(task)) {
        return task;
      }
    }
    return null;
  }

  /** An attempt at the task began or ended; returns whether it needs votes and did not before. */
  boolean changed(RunningTask task) {
    if (isOpen(task)) {
      return tasks.add(task);
    }
    tasks.remove(task);
    return false;
  }

  void remove(RunningTask task) {
    tasks.remove(task);
  }

  /** More attempts would run beyond a limit of the stage, and those of a gang start together. */
  private static boolean isOpen(RunningTask task) {
    StageTasks stage = task.stage;
    int quorum = stage.quorum();
    if (quorum < 2
        || task.attempts() == 0
        || stage.header().rules().atMost() > 0
        || stage.header().isGang()
        || task.job.isUndoing()) {
      return false;
    }
    Votes cast = task.job.cast(task.index);
    int equal = cast == null ? 0 : cast.mostEqual();
    int results = cast == null ? 0 : cast.size();
    return equal + task.attempts() < quorum && results + task.attempts() < Votes.maxResults(quorum);
  }
}
