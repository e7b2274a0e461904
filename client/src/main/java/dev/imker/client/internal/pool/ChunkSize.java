package dev.imker.client.internal.pool;

/**
 * How many calls make a task. A task costs about as much as the pool needs to hand it out and to
 * keep its result, so short calls go together; long ones go alone, so that all machines have work.
 *
 * <p>Until results tell how long calls take, few are sent; then about as many as the pool makes in
 * half a second. The first ones are slow, since code has to be loaded for them: to trust them would
 * cut all that wait into far too many tasks. When enough were made, more may be under way, but
 * never all: after a few long calls in between, the next ones would all go alone.
 */
final class ChunkSize {
  private static final long AIM_NANOS = 10_000_000;
  private static final long AHEAD_NANOS = 500_000_000;
  private static final int MAX = 2_000;
  private static final double NEWEST = 0.3;

  /** Enough to keep a few machines busy while nothing is known. */
  private static final int PROBES = 32;

  /** After so many calls, or after so much time in them, the mean is trusted. */
  private static final long ENOUGH_CALLS = 5_000;

  private static final long ENOUGH_NANOS = 5_000_000_000L;

  /** Then so many at least, however long they took. */
  private static final int MIN_TRUSTED = 1_000;

  private static final int TRUSTED_PER_SLOT = 8;
  private static final int TRUSTED_FACTOR = 4;
  private static final int WIDEST = 1 << 20;

  private final int fixed;
  private boolean apart;
  private double callNanos = -1;
  private long calls;
  private long nanos;

  /**
   * @param fixed calls per task, or 0 to choose
   */
  ChunkSize(int fixed) {
    this.fixed = fixed;
  }

  /** Calls wait for each other: each has a task of its own from now on. */
  synchronized void waited() {
    apart = true;
  }

  synchronized void ran(int count, long took) {
    calls += count;
    nanos += took;
    double each = (double) took / count;
    callNanos = callNanos < 0 ? each : callNanos + NEWEST * (each - callNanos);
  }

  /** How many calls may be under way at the same time. */
  synchronized int window(int slots) {
    if (fixed > 0 || apart) {
      return Integer.MAX_VALUE;
    }
    if (callNanos < 0) {
      return PROBES;
    }
    long ahead = (long) (slots * AHEAD_NANOS / Math.max(1, callNanos));
    if (calls < ENOUGH_CALLS && nanos < ENOUGH_NANOS) {
      return Math.clamp(ahead, PROBES, WIDEST);
    }
    int least = Math.clamp((long) TRUSTED_PER_SLOT * slots, MIN_TRUSTED, WIDEST);
    return Math.clamp(TRUSTED_FACTOR * ahead, least, WIDEST);
  }

  /**
   * @param slots of the pool: a batch should give each of them something to do
   */
  synchronized int choose(int count, int slots) {
    if (apart) {
      return 1;
    }
    if (fixed > 0) {
      return Math.min(fixed, count);
    }
    if (callNanos < 0) {
      return 1;
    }
    long byTime = (long) (AIM_NANOS / Math.max(1, callNanos));
    int bySlots = Math.max(1, count / Math.max(1, slots));
    return Math.clamp(Math.min(byTime, bySlots), 1, MAX);
  }
}
