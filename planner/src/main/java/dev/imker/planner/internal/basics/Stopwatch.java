package dev.imker.planner.internal.basics;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Ends work whose time is over or that nobody wants any more. Every loop that may run long calls
 * {@link #check()} in each turn; it costs next to nothing.
 */
public final class Stopwatch {
  private static final int CALLS_BETWEEN_CLOCK_READS = 64;

  private final long startNanos = System.nanoTime();
  private final long budgetNanos;
  private final BooleanSupplier cancelled;
  private int callsUntilRead;

  public Stopwatch(Duration timeout, BooleanSupplier cancelled) {
    this.budgetNanos = saturatedNanos(timeout);
    this.cancelled = cancelled;
  }

  private Stopwatch(long budgetNanos, BooleanSupplier cancelled) {
    this.budgetNanos = budgetNanos;
    this.cancelled = cancelled;
  }

  private static long saturatedNanos(Duration timeout) {
    try {
      return timeout.toNanos();
    } catch (ArithmeticException _) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * A stopwatch for another thread that ends with this one, or earlier when {@code also} says so.
   */
  public Stopwatch forked(BooleanSupplier also) {
    return new Stopwatch(
        Math.max(0, budgetNanos - elapsedNanos()),
        () -> cancelled.getAsBoolean() || also.getAsBoolean());
  }

  public long elapsedNanos() {
    return System.nanoTime() - startNanos;
  }

  public boolean isOver() {
    return elapsedNanos() > budgetNanos
        || cancelled.getAsBoolean()
        || Thread.currentThread().isInterrupted();
  }

  /**
   * @throws Stopped when the time is over or the work was cancelled
   */
  public void check() {
    if (--callsUntilRead < 0) {
      callsUntilRead = CALLS_BETWEEN_CLOCK_READS;
      if (isOver()) {
        throw new Stopped();
      }
    }
  }

  /** The work was ended before it had a result. */
  public static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Stopped() {
      super("stopped before the end", null, false, false);
    }
  }
}
