package dev.imker.core;

import java.util.random.RandomGenerator;

/**
 * SplitMix64 (Steele, Lea, Flood 2014) with bounded numbers by multiplication (Lemire 2019) instead
 * of division: strategies break ties between a thousand projects in every decision.
 */
final class SeededRandom implements RandomGenerator {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long state;

  SeededRandom(long seed) {
    state = seed;
  }

  @Override
  public long nextLong() {
    state += GOLDEN;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  @Override
  public int nextInt(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound must be positive, not " + bound);
    }
    long product = (nextLong() >>> 32) * bound;
    long low = product & 0xFFFFFFFFL;
    if (low < bound) {
      // The number of the 2^32 values to reject so that all results are equally likely.
      long surplus = 0x100000000L % bound;
      while (low < surplus) {
        product = (nextLong() >>> 32) * bound;
        low = product & 0xFFFFFFFFL;
      }
    }
    return (int) (product >>> 32);
  }
}
