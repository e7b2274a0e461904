package dev.imker.model.job;

/**
 * What becomes of a job when one of its tasks has failed for good.
 *
 * @param limit restarts at most, for {@link Way#RESTART}
 */
public record OnFailure(Way way, int limit) {
  public enum Way {
    /** Whatever does not depend on the failed task goes on. */
    CARRY_ON,
    /** All that is not settled is cancelled. */
    ABORT,
    /** The whole job begins again, a limited number of times. */
    RESTART,
    /** What was done is undone, in reverse order of completion. */
    ROLLBACK
  }

  public static final OnFailure CARRY_ON = new OnFailure(Way.CARRY_ON, 0);

  public static int defaultLimit(Way way) {
    return way == Way.RESTART ? 1 : 0;
  }
}
