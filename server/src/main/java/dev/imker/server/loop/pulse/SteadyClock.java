package dev.imker.server.loop.pulse;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock for leases: it never goes back and never jumps, whatever happens to the clock of the
 * machine. It begins with the time of day and goes on with the machine's uptime; when the time of
 * day is elsewhere afterwards (set by hand, set by the network, back from sleep), it goes a tenth
 * faster or slower until both agree again. A lease of 30 s so never ends before 27 s.
 */
public final class SteadyClock extends Clock {
  private static final long CATCH_UP_SHARE = 10;

  private final LongSupplier wallMillis;
  private final LongSupplier uptimeNanos;
  private long lastUptimeNanos;
  private long nowNanos;

  public static SteadyClock ofMachine() {
    return new SteadyClock(System::currentTimeMillis, System::nanoTime);
  }

  public SteadyClock(LongSupplier wallMillis, LongSupplier uptimeNanos) {
    this.wallMillis = wallMillis;
    this.uptimeNanos = uptimeNanos;
    lastUptimeNanos = uptimeNanos.getAsLong();
    nowNanos = wallNanos();
  }

  @Override
  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(advance());
  }

  private synchronized long advance() {
    long uptime = uptimeNanos.getAsLong();
    long passed = uptime - lastUptimeNanos;
    if (passed > 0) {
      lastUptimeNanos = uptime;
      long error = wallNanos() - (nowNanos + passed);
      long most = passed / CATCH_UP_SHARE;
      nowNanos += passed + Math.clamp(error, -most, most);
    }
    return nowNanos;
  }

  private long wallNanos() {
    return TimeUnit.MILLISECONDS.toNanos(wallMillis.getAsLong());
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
    throw new UnsupportedOperationException("a steady clock tells UTC only");
  }
}
