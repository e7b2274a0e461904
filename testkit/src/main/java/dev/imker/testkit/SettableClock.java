package dev.imker.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that runs like the machine's and can be advanced. */
public final class SettableClock extends Clock {
  private final AtomicLong ahead = new AtomicLong();

  /** Advances the clock; everything due within that time happens now. */
  public void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("time does not go back");
    }
    ahead.addAndGet(by.toMillis());
  }

  @Override
  public long millis() {
    return System.currentTimeMillis() + ahead.get();
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("a pool knows no time zones");
  }
}
