package dev.imker.testkit;

import java.util.SplittableRandom;

/** Points in a square, of which those in the circle are counted. */
final class MonteCarlo {
  private MonteCarlo() {}

  static long hits(long seed, int points) {
    SplittableRandom random = new SplittableRandom(seed);
    long hits = 0;
    for (int i = 0; i < points; i++) {
      double x = random.nextDouble();
      double y = random.nextDouble();
      hits += x * x + y * y <= 1 ? 1 : 0;
    }
    return hits;
  }
}
