package dev.imker.wire;

/**
 * Pings are answered, so a peer that sends them endlessly without reading the answers could fill
 * this side's memory. Not safe for use by several threads.
 */
public final class PingLimit {

  private static final int MAX_PER_SECOND = 200;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private long secondBeganNanos;
  private int pings;

  /** Counts a ping and returns whether it exceeds the limit. */
  public boolean isExceeded(long nowNanos) {
    if (pings == 0 || nowNanos - secondBeganNanos > SECOND_NANOS) {
      secondBeganNanos = nowNanos;
      pings = 0;
    }
    return ++pings > MAX_PER_SECOND;
  }
}
