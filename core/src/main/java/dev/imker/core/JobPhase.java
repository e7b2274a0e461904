package dev.imker.core;

import java.util.Locale;

/**
 * How a job as a whole stands after a failure.
 *
 * @param times how often it was begun again
 */
public record JobPhase(Way way, int times) {
  /** The ways a job can go. */
  public enum Way {
    RUNNING,
    ABORTED,
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

  @Override
  public String toString() {
    return times == 0 ? way.name() : way.name() + " " + times;
  }
}
