package dev.imker.coord;

/**
 * The length of a leader's lease: as long as needed given the recent slowness of database and
 * machine, within configured limits. Confined to one thread.
 */
final class LeaseLength {
  /** How many of the slowest renewals fit into the part of a lease above its minimum. */
  private static final long SLOWEST = 4;

  /** The factor by which the slowest renewal decays with each further one. */
  private static final double FADING = 0.9;

  private final LeaseTimes times;
  private double slowestMillis;

  /** Nothing is known yet, so it has its maximum length. */
  LeaseLength(LeaseTimes times) {
    this.times = times;
    slowestMillis = (double) (times.leaseMillis() - times.leastMillis()) / SLOWEST;
  }

  /**
   * A lease was renewed.
   *
   * @param millis time from when it was due until it was confirmed
   */
  void renewed(long millis) {
    slowestMillis = Math.max((double) millis, slowestMillis * FADING);
  }

  long millis() {
    long wanted = times.leastMillis() + SLOWEST * Math.round(slowestMillis);
    return Math.min(times.leaseMillis(), wanted);
  }
}
