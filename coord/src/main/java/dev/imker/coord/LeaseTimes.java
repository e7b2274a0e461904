package dev.imker.coord;

/**
 * How to detect the loss of a leader whose connection stays open because it hangs or its machine
 * lost power.
 *
 * @param renewMillis how often a leader sends a sign of life; also the length of a session with
 *     ZooKeeper, whose client sends three times as often
 * @param leaseMillis maximum silence until the next in the queue may follow; on a quick database
 *     and machine it is {@link #leastMillis}
 */
public record LeaseTimes(long renewMillis, long leaseMillis) {
  public LeaseTimes {
    if (renewMillis < 1 || leaseMillis < 2 * renewMillis) {
      throw new IllegalArgumentException("a lease must last for at least two signs of life");
    }
  }

  /** The minimum silence that is tolerated, however quick everything is. */
  public long leastMillis() {
    return leaseMillis / 2;
  }

  /** The session time-out of ZooKeeper, which has limits of its own. */
  public int sessionMillis() {
    return Math.toIntExact(renewMillis);
  }

  public static LeaseTimes defaults() {
    return new LeaseTimes(1000, 6000);
  }
}
