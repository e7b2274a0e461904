package dev.imker.server.loop;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of a pool that another server leads, read again when somebody asks and it has become
 * old. Reading it may take long, so that it is never done more than a small part of the time.
 */
final class FollowedPool {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FRESH_PER_READING = 10;

  private final Supplier<PoolState> reading;
  private final LongSupplier nanoTime;
  private @Nullable PoolState pool;
  private long readNanos;
  private long tookNanos;

  FollowedPool(Supplier<PoolState> reading, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.reading = reading;
  }

  PoolState get() {
    PoolState present = pool;
    long freshNanos = Math.max(FRESH_NANOS, FRESH_PER_READING * tookNanos);
    if (present == null || nanoTime.getAsLong() - readNanos > freshNanos) {
      long start = nanoTime.getAsLong();
      present = reading.get();
      pool = present;
      readNanos = nanoTime.getAsLong();
      tookNanos = readNanos - start;
    }
    return present;
  }

  /** Answers all questions that wait, and refuses all changes. */
  void answer(Inbox inbox, Clock clock, TurnOutbox out) {
    for (Command command = inbox.poll(); command != null; command = inbox.poll()) {
      if (!command.looksOnly()) {
        command.failed(new NotLeadingException());
        continue;
      }
      try {
        command.apply(get(), clock.millis(), out);
        command.committed();
      } catch (RuntimeException e) {
        command.failed(e);
      } finally {
        out.clear();
      }
    }
  }

  /** The next one who asks gets what is on disk then. */
  void forget() {
    pool = null;
  }
}
