package dev.imker.core.internal.leases;

import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.UserShare;
import dev.imker.core.internal.tasks.Votes;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * RUNNING tasks that need more equal results than nodes are working on: other nodes may work on
 * them at the same time. Those of one user that ask the same of a node stand together, in the order
 * in which they began, so that a node is not asked about tasks that it cannot have anyhow.
 */
public final class OpenVotes {
  /** How far to look for a task that suits a node, among those it may have. */
  private static final int MAX_LOOKED_AT = 256;

  private record Kind(UserShare user, int requirementClass) {}

  private final Map<Kind, Set<RunningTask>> byKind = new LinkedHashMap<>();
  private final Map<RunningTask, Kind> kinds = new HashMap<>();

  public int size() {
    return kinds.size();
  }

  /**
   * The first task that suits and still needs votes.
   *
   * @param classes what the node meets
   */
  public @Nullable RunningTask first(BitSet classes, Predicate<RunningTask> suits) {
    int left = MAX_LOOKED_AT;
    for (Map.Entry<Kind, Set<RunningTask>> one : byKind.entrySet()) {
      if (!one.getKey().user.isFull() && classes.get(one.getKey().requirementClass)) {
        for (RunningTask task : one.getValue()) {
          if (suits.test(task)) {
            return task;
          } else if (--left == 0) {
            return null;
          }
        }
      }
    }
    return null;
  }

  public Set<RunningTask> all() {
    return kinds.keySet();
  }

  /**
   * An attempt at the task began or ended; returns whether it needs votes and did not before, and
   * might get one.
   */
  boolean changed(RunningTask task) {
    if (!isOpen(task)) {
      remove(task);
      return false;
    }
    Kind kind = new Kind(task.job.user(), task.job.requirementClass(task.index));
    return kinds.putIfAbsent(task, kind) == null
        && byKind.computeIfAbsent(kind, _ -> new LinkedHashSet<>()).add(task)
        && !kind.user.isFull();
  }

  void remove(RunningTask task) {
    Kind kind = kinds.remove(task);
    if (kind != null) {
      byKind.computeIfPresent(
          kind,
          (_, tasks) -> {
            tasks.remove(task);
            return tasks.isEmpty() ? null : tasks;
          });
    }
  }

  /** More attempts would run beyond a limit of the stage, and those of a gang start together. */
  public static boolean isOpen(RunningTask task) {
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
