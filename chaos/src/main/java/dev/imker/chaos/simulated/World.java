package dev.imker.chaos.simulated;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Virtual time and what is to happen in it. Whoever has to wait inside a call lets the rest of the
 * world go on meanwhile with {@link #pass}: that is how several servers run in one thread.
 */
final class World {
  private record Event(long atNanos, long number, Runnable action) {}

  /** More events than any pool of this size needs. */
  private static final int MAX_EVENTS = 400_000;

  private static final int MAX_DEPTH = 40;

  final Random random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
  private long nowNanos = TimeUnit.DAYS.toNanos(365);
  private long numbers;
  private int count;
  private int depth;
  private long fingerprint;

  World(long seed) {
    random = new Random(seed);
  }

  long nanos() {
    return nowNanos;
  }

  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nowNanos);
  }

  int events() {
    return count;
  }

  /** Follows from when everything happened: equal for equal histories. */
  long fingerprint() {
    return fingerprint;
  }

  /** Something is to happen after so many milliseconds. */
  void in(double millis, Runnable action) {
    events.add(new Event(nowNanos + (long) (millis * 1_000_000), numbers++, action));
  }

  /** A random time in milliseconds. */
  double between(double least, double most) {
    return least + random.nextDouble() * (most - least);
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  /** Lets everything happen that happens within so many milliseconds. */
  void pass(double millis) {
    long end = nowNanos + (long) (millis * 1_000_000);
    if (depth >= MAX_DEPTH) {
      return; // whoever waits waits no longer: nobody was promised that it would
    }
    depth++;
    try {
      for (Event next = events.peek(); next != null && next.atNanos <= end; next = events.peek()) {
        events.remove();
        nowNanos = Math.max(nowNanos, next.atNanos);
        if (++count > MAX_EVENTS) {
          throw new BrokenPromise("the pool does not come to rest");
        }
        fingerprint = 31 * fingerprint + next.atNanos;
        next.action.run();
      }
      nowNanos = Math.max(nowNanos, end);
    } finally {
      depth--;
    }
  }
}
