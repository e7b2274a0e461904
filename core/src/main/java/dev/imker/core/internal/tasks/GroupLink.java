package dev.imker.core.internal.tasks;

import dev.imker.model.TaskState;

/** Two stages whose tasks belong together in groups. */
interface GroupLink {
  StageTasks before();

  StageTasks after();

  /** Whether all that a task of the later stage waits for is done. */
  boolean isComplete(int index);

  /** Whether something that a task of the later stage waits for will not be done. */
  boolean isBroken(int index);

  /** A task of the earlier stage that breaks the hopes of one of the later; −1 if there is none. */
  int culprit(int index);

  /** Tasks of the earlier stage changed; tells which of the later it may matter to. */
  void moved(int from, int toExclusive, TaskState before, TaskState after, RecheckList recheck);

  /** Where tasks that may have to move are noted. */
  @FunctionalInterface
  interface RecheckList {
    void add(int from, int toExclusive);
  }
}
