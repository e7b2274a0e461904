package dev.imker.charts.strategy;

import java.util.function.IntPredicate;

/** The bars at which a rule holds, one bit each. */
final class BarSet {
  private final int bars;
  private final long[] words;

  private BarSet(int bars, long[] words) {
    this.bars = bars;
    this.words = words;
  }

  static BarSet of(int bars, IntPredicate contains) {
    long[] words = new long[(bars + 63) >>> 6];
    for (int i = 0; i < bars; i++) {
      if (contains.test(i)) {
        words[i >>> 6] |= 1L << i;
      }
    }
    return new BarSet(bars, words);
  }

  static BarSet all(int bars) {
    return of(bars, i -> true);
  }

  static BarSet none(int bars) {
    return new BarSet(bars, new long[(bars + 63) >>> 6]);
  }

  boolean contains(int bar) {
    return (words[bar >>> 6] >>> bar & 1) != 0;
  }

  /** The first bar of the set from {@code from} to {@code last}, or -1. */
  int first(int from, int last) {
    if (from > last) {
      return -1;
    }
    int word = from >>> 6;
    long bits = words[word] & (-1L << from);
    while (bits == 0) {
      if (++word >= words.length) {
        return -1;
      }
      bits = words[word];
    }
    int bar = (word << 6) + Long.numberOfTrailingZeros(bits);
    return bar <= last ? bar : -1;
  }

  BarSet and(BarSet other) {
    long[] result = words.clone();
    for (int i = 0; i < result.length; i++) {
      result[i] &= other.words[i];
    }
    return new BarSet(bars, result);
  }

  BarSet or(BarSet other) {
    long[] result = words.clone();
    for (int i = 0; i < result.length; i++) {
      result[i] |= other.words[i];
    }
    return new BarSet(bars, result);
  }

  BarSet not() {
    long[] result = new long[words.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = ~words[i];
    }
    if (bars % 64 != 0) {
      result[result.length - 1] &= (1L << bars) - 1;
    }
    return new BarSet(bars, result);
  }
}
