package dev.imker.store;

import dev.imker.model.TaskState;

/** Takes what tasks of a job are sorted by. */
@FunctionalInterface
public interface TaskFigures {
  /**
   * @param startedMillis of the attempt that counts; 0 before the first
   * @param endedMillis 0 while it runs
   */
  void accept(int index, TaskState state, int attempts, long startedMillis, long endedMillis);
}
