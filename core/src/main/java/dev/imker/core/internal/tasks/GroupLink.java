package dev.imker.core.internal.tasks;

import dev.imker.model.TaskState;

/** Two stages whose tasks correspond in groups. */
interface GroupLink {
  StageTasks before();

  StageTasks after();

  /** Whether all dependencies of a task of the later stage are done. */
  boolean isComplete(int index);

  /** Whether some dependency of a task of the later stage will never be done. */
  boolean isBroken(int index);

  /**
   * A task of the earlier stage because of which one of the later stage can never run; −1 if there
   * is none.
   */
  int culprit(int index);

  /** Tasks of the earlier stage changed; reports the affected tasks of the later one. */
  void moved(int from, int toExclusive, TaskState before, TaskState after, RecheckList recheck);

  /** Collects tasks that may have to change. */
  @FunctionalInterface
  interface RecheckList {
    void add(int from, int toExclusive);
  }
}
