package dev.imker.server.internal.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.imker.model.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * Tasks by state.
 *
 * @param skipped of the failed ones, those that never ran because what they depend on failed; null
 *     if there are none or nobody has counted them
 */
public record CountsView(
    long waiting,
    long ready,
    long running,
    long done,
    long failed,
    long blocked,
    long autoBlocked,
    long cancelled,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long skipped) {
  static CountsView of(int[] counts) {
    long[] wide = new long[counts.length];
    for (int i = 0; i < counts.length; i++) {
      wide[i] = counts[i];
    }
    return of(wide);
  }

  public static CountsView of(long[] counts) {
    return new CountsView(
        counts[TaskState.WAITING.ordinal()],
        counts[TaskState.READY.ordinal()],
        counts[TaskState.RUNNING.ordinal()],
        counts[TaskState.DONE.ordinal()],
        counts[TaskState.FAILED.ordinal()],
        counts[TaskState.BLOCKED.ordinal()],
        counts[TaskState.AUTO_BLOCKED.ordinal()],
        counts[TaskState.CANCELLED.ordinal()],
        null);
  }

  /** Tasks that failed because of what happened to them, not to others. */
  long failedThemselves() {
    return failed + autoBlocked - (skipped == null ? 0 : skipped);
  }

  CountsView withSkipped(long tasks) {
    return new CountsView(
        waiting,
        ready,
        running,
        done,
        failed,
        blocked,
        autoBlocked,
        cancelled,
        tasks > 0 ? (Long) tasks : null);
  }

  /** Indexed by the ordinal of {@link TaskState}. */
  int[] byState() {
    int[] counts = new int[TaskState.values().length];
    counts[TaskState.WAITING.ordinal()] = (int) waiting;
    counts[TaskState.READY.ordinal()] = (int) ready;
    counts[TaskState.RUNNING.ordinal()] = (int) running;
    counts[TaskState.DONE.ordinal()] = (int) done;
    counts[TaskState.FAILED.ordinal()] = (int) failed;
    counts[TaskState.BLOCKED.ordinal()] = (int) blocked;
    counts[TaskState.AUTO_BLOCKED.ordinal()] = (int) autoBlocked;
    counts[TaskState.CANCELLED.ordinal()] = (int) cancelled;
    return counts;
  }
}
