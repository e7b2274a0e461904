package dev.imker.core.internal.tasks;

import dev.imker.model.TaskState;

/**
 * Many tasks that a whole stage waits for, as one node between them and it: counts which are not
 * done and which never will be, so that n tasks before m others cost n + m steps and two numbers.
 */
final class Join {
  final StageTasks stage;

  /** Whether any end will do. */
  private final boolean any;

  private int missing;
  private int failed;

  /** As it was last counted among those of its stage. */
  boolean countedIncomplete;

  boolean countedBroken;

  Join(StageTasks stage, boolean any) {
    this.stage = stage;
    this.any = any;
  }

  boolean any() {
    return any;
  }

  boolean isComplete() {
    return missing == 0;
  }

  boolean isBroken() {
    return failed > 0;
  }

  /** Tasks that nothing is known of: they will never be done. */
  void addMissing(int tasks) {
    missing += any ? 0 : tasks;
  }

  /** Counts tasks in their present state. */
  void add(TaskArray from, int first, int end) {
    for (int i = first; i < end; i = from.endOfRun(i, end)) {
      count(from.state(i), from.endOfRun(i, end) - i);
    }
  }

  /** Returns whether that matters to those that wait. */
  boolean moved(int tasks, TaskState before, TaskState after) {
    boolean complete = isComplete();
    boolean broken = isBroken();
    count(before, -tasks);
    count(after, tasks);
    return complete != isComplete() || broken != isBroken();
  }

  private void count(TaskState state, int tasks) {
    missing += (any ? state.isSettled() : state == TaskState.DONE) ? 0 : tasks;
    failed += !any && TaskGraph.isLostFor(state) ? tasks : 0;
  }
}
