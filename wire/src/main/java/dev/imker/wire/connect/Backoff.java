package dev.imker.wire.connect;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Growing delays with jitter: after n failures between zero and first × 2ⁿ, up to a maximum. The
 * jitter keeps thousands of agents from returning in one wave.
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

  /** Delay after a refusal: at least half of the maximum. */
  long slowMillis() {
    return longestMillis / 2 + 1 + random.nextLong(longestMillis / 2 + 1);
  }

  /**
   * A connection ended after this time. Only one that outlived the next delay counts as a success:
   * a client that is admitted and immediately rejected must not return at once.
   */
  void lasted(long millis) {
    if (millis >= ceilingMillis()) {
      failures = 0;
    }
  }
}
