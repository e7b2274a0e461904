package dev.imker.model.job;

/**
 * What happens to a job when one of its tasks has failed permanently.
 *
 * @param limit maximum number of restarts, for {@link Way#RESTART}
 */
public record OnFailure(Way way, int limit) {
  public enum Way {
    /** Everything that does not depend on the failed task continues. */
    CARRY_ON,
    /** All unsettled tasks are cancelled. */
    ABORT,
    /** The whole job begins again, a limited number of times. */
    RESTART,
    /** Finished tasks are undone in reverse order of completion. */
    ROLLBACK
  }

  public static final OnFailure CARRY_ON = new OnFailure(Way.CARRY_ON, 0);

  public static int defaultLimit(Way way) {
    return way == Way.RESTART ? 1 : 0;
  }
}
