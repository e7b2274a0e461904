package dev.imker.chaos.check;

public record Violation(Promise promise, String what) {
  /** What a pool promises, whatever happens to it. */
  public enum Promise {
    ACKNOWLEDGED_JOBS_FINISH,
    JOBS_EXIST_ONCE,
    TASKS_HAVE_ONE_RESULT,
    RESULTS_STAY,
    RESULTS_ARE_OF_REAL_ATTEMPTS,
    ATTEMPTS_RUN_ONCE,
    ONE_LEADER_AN_EPOCH,
    DEPOSED_LEADERS_WRITE_NOTHING,
    DEPENDENCIES_ARE_RESPECTED,
    WHAT_WAS_TOLD_IS_TRUE,
    NOBODY_IS_TOLD_OF_THE_PAST,
    FAILED_JOBS_ARE_UNDONE,
    AMOUNTS_ARE_KEPT,
    WHAT_TASKS_SHARE_IS_EXACT,
    DROPPED_FILES_ARE_DONE,
    NOTICES_COME_ONCE,
    AGENTS_STAY
  }

  @Override
  public String toString() {
    return promise + ": " + what;
  }
}
