package dev.imker.coord;

/**
 * How long a leader's lease lasts: as long as needed on a database and a machine as slow as they
 * were of late, between the limits that were set. Belongs to one thread.
 */
final class LeaseLength {
  /** So many of the slowest renewals fit into what a lease lasts beyond its least. */
  private static final long SLOWEST = 4;

  /** With each renewal the slowest one counts for this much less. */
  private static final double FADING = 0.9;

  private final LeaseTimes times;
  private double slowestMillis;

  /** Nothing is known yet, so it lasts as long as it may. */
  LeaseLength(LeaseTimes times) {
    this.times = times;
    slowestMillis = (double) (times.leaseMillis() - times.leastMillis()) / SLOWEST;
  }

  /**
   * A lease was renewed.
   *
   * @param millis from when that was due to when it was confirmed
   */
  void renewed(long millis) {
    slowestMillis = Math.max((double) millis, slowestMillis * FADING);
  }

  long millis() {
    long wanted = times.leastMillis() + SLOWEST * Math.round(slowestMillis);
    return Math.min(times.leaseMillis(), wanted);
  }
}
