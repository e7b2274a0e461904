package dev.imker.core.profile;

/**
 * The minute in which profiles and strategies count. A real pool that stands in for a slower one
 * runs in compressed time: the system property {@code imker.minuteMillis} says how long its minutes
 * are.
 */
public final class PoolTime {
  public static final long MILLIS_PER_MINUTE = Long.getLong("imker.minuteMillis", 60_000);

  private PoolTime() {}

  public static double minutes(long millis) {
    return millis / (double) MILLIS_PER_MINUTE;
  }
}
