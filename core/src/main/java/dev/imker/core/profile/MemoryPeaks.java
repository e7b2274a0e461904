package dev.imker.core.profile;

import java.util.Arrays;

/** The newest peaks of memory of a project's tasks, and how much most of them would have needed. */
final class MemoryPeaks {
  private static final int WINDOW = 128;
  private static final double MOST = 0.95;

  /** Estimates are rounded up to eighths of a power of two: they should not change all the time. */
  private static final int STEPS = 8;

  private static final long MIN_BYTES = 64L << 20;

  private final long[] values = new long[WINDOW];
  private int next;
  private int size;

  void add(long bytes) {
    values[next] = bytes;
    next = (next + 1) % WINDOW;
    size = Math.min(size + 1, WINDOW);
  }

  /** The 95th percentile, rounded up; 0 while nothing was seen. */
  long estimate() {
    if (size == 0) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(values, size);
    Arrays.sort(sorted);
    long peak = Math.max(MIN_BYTES, sorted[(int) Math.ceil(MOST * size) - 1]);
    long step = Long.highestOneBit(peak) / STEPS;
    return (peak + step - 1) / step * step;
  }

  /** Oldest first. */
  long[] values() {
    long[] copy = new long[size];
    for (int i = 0; i < size; i++) {
      copy[i] = values[(next - size + i + WINDOW) % WINDOW];
    }
    return copy;
  }

  void restore(long[] oldestFirst) {
    for (long value : oldestFirst) {
      add(value);
    }
  }
}
