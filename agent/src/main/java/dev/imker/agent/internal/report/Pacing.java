package dev.imker.agent.internal.report;

/**
 * Determines when the next batch may be sent: immediately while there are few, and at regular
 * intervals under load. Every batch costs the server a transaction of its own, so a lone report
 * should not wait, while many are better sent together.
 */
final class Pacing {
  private final int burst;
  private final long stepNanos;
  private long paidUntilNanos;

  /**
   * @param burst how many may leave at once after a quiet time
   * @param stepNanos between two in the long run
   */
  Pacing(int burst, long stepNanos, long nowNanos) {
    this.burst = burst;
    this.stepNanos = stepNanos;
    this.paidUntilNanos = nowNanos - burst * stepNanos;
  }

  /** How long the next one has to wait; 0 means it may go. */
  long waitNanos(long nowNanos) {
    return Math.max(0, paidUntilNanos + stepNanos - nowNanos);
  }

  /** One leaves now. */
  void leave(long nowNanos) {
    long oldest = nowNanos - burst * stepNanos;
    paidUntilNanos = (paidUntilNanos - oldest > 0 ? paidUntilNanos : oldest) + stepNanos;
  }
}
