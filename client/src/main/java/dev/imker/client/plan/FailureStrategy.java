package dev.imker.client.plan;

import dev.imker.model.job.OnFailure;
import java.time.Duration;

/**
 * What becomes of a planned job when a task fails: first the task is tried again, so many times,
 * and {@link dev.imker.tasks.Task#rescue} is called before each further attempt; when that did not
 * help, the job ends in one of three ways.
 *
 * @param way how the job ends, or begins again
 * @param restarts at most, where the whole job begins again
 * @param reruns further attempts of a task
 * @param backoff pause before the second attempt, doubled before each further one
 */
public record FailureStrategy(OnFailure.Way way, int restarts, int reruns, Duration backoff) {
  public FailureStrategy {
    if (restarts < 0 || reruns < 0 || backoff.isNegative()) {
      throw new IllegalArgumentException("the numbers of a strategy cannot be negative");
    }
  }

  /** The job fails with its first task; what still runs is stopped. */
  public static FailureStrategy abort() {
    return new FailureStrategy(OnFailure.Way.ABORT, 0, 0, Duration.ZERO);
  }

  /** A failed task is tried again; then the job fails. */
  public static FailureStrategy rerun(int times, Duration backoff) {
    return new FailureStrategy(OnFailure.Way.ABORT, 0, times, backoff);
  }

  /** The whole job begins again. */
  public static FailureStrategy restart(int most) {
    return abort().orRestart(most);
  }

  /** What was done is undone, in reverse order; then the job fails. */
  public static FailureStrategy rollback() {
    return abort().orRollBack();
  }

  /** When reruns did not help, the whole job begins again. */
  public FailureStrategy orRestart(int most) {
    return new FailureStrategy(OnFailure.Way.RESTART, most, reruns, backoff);
  }

  /** When reruns did not help, what was done is undone. */
  public FailureStrategy orRollBack() {
    return new FailureStrategy(OnFailure.Way.ROLLBACK, 0, reruns, backoff);
  }
}
