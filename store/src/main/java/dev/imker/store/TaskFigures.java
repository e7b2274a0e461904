package dev.imker.store;

import dev.imker.model.TaskState;
import org.jspecify.annotations.Nullable;

/** Receives the figures by which tasks of a job are sorted. */
@FunctionalInterface
public interface TaskFigures {
  /**
   * @param startedMillis of the attempt that counts; 0 before the first
   * @param endedMillis 0 while it runs
   */
  void accept(int index, TaskState state, int attempts, long startedMillis, long endedMillis);

  /** Receives where and when attempts of a job ran. */
  @FunctionalInterface
  interface OfAttempts {
    /**
     * @param state of its task, where the attempt is the one that counts; null for an earlier one
     * @param node empty if the task was settled without an attempt
     * @param startedMillis 0 if it never started
     * @param endedMillis 0 while it runs
     */
    void accept(
        int index, @Nullable TaskState state, String node, long startedMillis, long endedMillis);
  }
}
