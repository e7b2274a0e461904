package dev.imker.server.loop.pulse;

/**
 * Notices that the loop stood still: the machine slept, the process was stopped, a turn took long.
 * What agents sent meanwhile waits in sockets and is read only now, so that time must not count as
 * their silence.
 */
public final class Standstill {
  /** What may lie between two turns; a loop without work takes one every tenth of a second. */
  static final long USUAL_MILLIS = 2_000;

  private long lastMillis = Long.MIN_VALUE;

  /** The state of the pool is read from here on; that takes its time, too. */
  public void begin(long nowMillis) {
    lastMillis = nowMillis;
  }

  /** A turn begins: how long the loop stood still before it, 0 if it did not. */
  public long before(long nowMillis) {
    long last = lastMillis;
    lastMillis = nowMillis;
    return last == Long.MIN_VALUE ? 0 : Math.max(0, nowMillis - last - USUAL_MILLIS);
  }
}
