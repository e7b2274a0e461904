package dev.imker.server.gateway;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The message rate limit of an agent. An agent that exceeds it is read more slowly: only the thread
 * of its own session waits, and the window of the session holds back the rest. Reports of ended
 * tasks cost less, because a fast agent has many of them; a normal agent never comes near the
 * limits.
 */
final class MessagePace {
  private static final long REPORTS_PER_SECOND = 50_000;
  private static final int COST_OF_OTHERS = 10;
  private static final long BURST_SECONDS = 5;
  private static final long NANOS_PER_REPORT = TimeUnit.SECONDS.toNanos(1) / REPORTS_PER_SECOND;
  private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(BURST_SECONDS);

  private final LongSupplier nanos;

  /** Up to when everything said so far is paid for. */
  private long paidNanos;

  MessagePace(LongSupplier nanos) {
    this.nanos = nanos;
    this.paidNanos = nanos.getAsLong();
  }

  /** How long to wait before the next message is looked at; 0 for whoever keeps within bounds. */
  long pauseNanos(boolean report) {
    long now = nanos.getAsLong();
    paidNanos = Math.max(paidNanos, now) + (report ? 1 : COST_OF_OTHERS) * NANOS_PER_REPORT;
    return Math.max(0, paidNanos - now - BURST_NANOS);
  }
}
