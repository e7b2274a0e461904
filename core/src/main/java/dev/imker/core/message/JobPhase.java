package dev.imker.core.message;

import java.util.Locale;

/**
 * How a job as a whole stands after a failure.
 *
 * @param number RESTARTING, RESTARTED: how often it was begun again. ROLLING_BACK, ROLLBACK_FAILED:
 *     the task that is, or could not be, undone, counted from one; 0 while there is none
 */
public record JobPhase(Way way, int number) {
  /** The ways a job can go. */
  public enum Way {
    RUNNING,
    /** Not all of its tasks are cancelled yet. */
    ABORTING,
    ABORTED,
    /** Not all of its tasks are as they were submitted yet. */
    RESTARTING,
    RESTARTED,
    ROLLING_BACK,
    ROLLED_BACK,
    ROLLBACK_FAILED
  }

  public static final JobPhase RUNNING = new JobPhase(Way.RUNNING, 0);

  /** Reads what {@link #toString} writes; anything else counts as running. */
  public static JobPhase parse(String text) {
    String[] words = text.split(" ", 2);
    for (Way way : Way.values()) {
      if (way.name().equals(words[0].toUpperCase(Locale.ROOT))) {
        return new JobPhase(way, words.length == 1 ? 0 : Integer.parseInt(words[1]));
      }
    }
    return RUNNING;
  }

  /** Whether tasks still have to be changed before the job goes on. */
  public boolean isUnderWay() {
    return way == Way.ABORTING || way == Way.RESTARTING || (way == Way.ROLLING_BACK && number == 0);
  }

  /** What people are told: which task is being undone is seen from the tasks. */
  public String shown() {
    return switch (way) {
      case ABORTING -> Way.ABORTED.name();
      case RESTARTING, RESTARTED -> Way.RESTARTED + " " + number;
      case RUNNING, ABORTED, ROLLING_BACK, ROLLED_BACK, ROLLBACK_FAILED -> way.name();
    };
  }

  @Override
  public String toString() {
    return number == 0 ? way.name() : way.name() + " " + number;
  }
}
