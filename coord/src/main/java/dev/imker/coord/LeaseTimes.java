package dev.imker.coord;

/**
 * How a leader is found to be gone whose connection stays open: because it stands still, or its
 * machine lost power.
 *
 * @param renewMillis how often a leader says that it is there; a session with ZooKeeper, whose
 *     client says so three times as often, lasts as long
 * @param leaseMillis how long its silence lasts at most until the next in the queue may follow; on
 *     a quick database and machine it is {@link #leastMillis}
 */
public record LeaseTimes(long renewMillis, long leaseMillis) {
  public LeaseTimes {
    if (renewMillis < 1 || leaseMillis < 2 * renewMillis) {
      throw new IllegalArgumentException("a lease must last for at least two signs of life");
    }
  }

  /** However quick all is, a leader may be silent for so long. */
  public long leastMillis() {
    return leaseMillis / 2;
  }

  /** How long ZooKeeper waits for a sign of life; it has limits of its own. */
  public int sessionMillis() {
    return Math.toIntExact(renewMillis);
  }

  public static LeaseTimes defaults() {
    return new LeaseTimes(1000, 6000);
  }
}
