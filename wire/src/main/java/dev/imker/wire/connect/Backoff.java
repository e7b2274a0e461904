package dev.imker.wire.connect;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Growing, jittered delays: after n failures somewhere between nothing and first × 2ⁿ, up to a
 * longest. The jitter keeps thousands of agents from returning in one wave.
 */
final class Backoff {

  private final long firstMillis;
  private final long longestMillis;
  private final RandomGenerator random;
  private int failures;

  Backoff(Duration first, Duration longest, RandomGenerator random) {
    this.firstMillis = Math.max(1, first.toMillis());
    this.longestMillis = Math.max(firstMillis, longest.toMillis());
    this.random = random;
  }

  long nextMillis() {
    long millis = 1 + random.nextLong(ceilingMillis());
    failures++;
    return millis;
  }

  private long ceilingMillis() {
    return Math.min(longestMillis, firstMillis << Math.min(failures, 20));
  }

  /** Delay after a refusal: not before half of the longest. */
  long slowMillis() {
    return longestMillis / 2 + 1 + random.nextLong(longestMillis / 2 + 1);
  }

  /**
   * A connection lasted so long. Only one that outlived the delay that would be next counts as a
   * success: whoever is let in and thrown out again must not come back at once.
   */
  void lasted(long millis) {
    if (millis >= ceilingMillis()) {
      failures = 0;
    }
  }
}
