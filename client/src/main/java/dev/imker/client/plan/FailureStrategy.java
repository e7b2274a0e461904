package dev.imker.client.plan;

import dev.imker.model.job.OnFailure;
import java.time.Duration;

/**
 * What happens when a task of a planned job fails: first the task is retried the given number of
 * times, with {@link dev.imker.tasks.Task#rescue} before each further attempt; if that does not
 * help, the job ends in one of three ways.
 *
 * @param way how the job ends or restarts
 * @param restarts maximum number of restarts of the whole job
 * @param reruns further attempts of a task
 * @param backoff pause before the second attempt, doubled before each further one
 */
public record FailureStrategy(OnFailure.Way way, int restarts, int reruns, Duration backoff) {
  public FailureStrategy {
    if (restarts < 0 || reruns < 0 || backoff.isNegative()) {
      throw new IllegalArgumentException("the numbers of a strategy cannot be negative");
    }
  }

  /** The job fails with its first failed task; running tasks are stopped. */
  public static FailureStrategy abort() {
    return new FailureStrategy(OnFailure.Way.ABORT, 0, 0, Duration.ZERO);
  }

  /** A failed task is retried; then the job fails. */
  public static FailureStrategy rerun(int times, Duration backoff) {
    return new FailureStrategy(OnFailure.Way.ABORT, 0, times, backoff);
  }

  /** The whole job is restarted. */
  public static FailureStrategy restart(int most) {
    return abort().orRestart(most);
  }

  /** Finished tasks are undone in reverse order; then the job fails. */
  public static FailureStrategy rollback() {
    return abort().orRollBack();
  }

  /** If retries do not help, the whole job is restarted. */
  public FailureStrategy orRestart(int most) {
    return new FailureStrategy(OnFailure.Way.RESTART, most, reruns, backoff);
  }

  /** If retries do not help, finished tasks are undone. */
  public FailureStrategy orRollBack() {
    return new FailureStrategy(OnFailure.Way.ROLLBACK, 0, reruns, backoff);
  }
}
