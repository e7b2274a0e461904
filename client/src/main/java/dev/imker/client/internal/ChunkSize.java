package dev.imker.client.internal;

/**
 * How many calls make a task. A task costs about as much as the pool needs to hand it out and to
 * keep its result, so short calls go together; long ones go alone, so that all machines have work.
 * Until the first results tell how long calls take, few are sent.
 */
final class ChunkSize {
  private static final long AIM_NANOS = 10_000_000;
  private static final int MOST = 2_000;
  private static final double NEWEST = 0.3;

  /** Enough to keep a few machines busy while nothing is known. */
  private static final int PROBES = 32;

  private final int fixed;
  private double callNanos = -1;

  /**
   * @param fixed calls per task, or 0 to choose
   */
  ChunkSize(int fixed) {
    this.fixed = fixed;
  }

  synchronized void ran(int calls, long nanos) {
    double each = (double) nanos / calls;
    callNanos = callNanos < 0 ? each : callNanos + NEWEST * (each - callNanos);
  }

  /** How many calls may be under way at the same time. */
  synchronized int window() {
    return fixed > 0 || callNanos >= 0 ? Integer.MAX_VALUE : PROBES;
  }

  /**
   * @param slots of the pool: a batch should give each of them something to do
   */
  synchronized int choose(int calls, int slots) {
    if (fixed > 0) {
      return Math.min(fixed, calls);
    }
    if (callNanos < 0) {
      return 1;
    }
    long byTime = (long) (AIM_NANOS / Math.max(1, callNanos));
    int bySlots = Math.max(1, calls / Math.max(1, slots));
    return Math.clamp(Math.min(byTime, bySlots), 1, MOST);
  }
}
