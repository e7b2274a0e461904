package dev.imker.server.internal.auth;

import dev.imker.model.recent.RecentMap;
import java.util.Map;

/**
 * Slows down guessing: after a few failures for a user or from an address, each further one doubles
 * the time until the next attempt. A success resets them.
 */
final class LoginThrottle {
  private static final int FREE_FAILURES = 5;
  private static final long LONGEST_PAUSE_MILLIS = 5 * 60_000L;
  private static final long FORGET_MILLIS = 30 * 60_000L;
  private static final int MAX_REMEMBERED = 10_000;

  private record Failures(int count, long lastMillis) {
    long pauseMillis() {
      int beyond = count - FREE_FAILURES;
      return beyond < 0 ? 0 : Math.min(LONGEST_PAUSE_MILLIS, 1000L << Math.min(beyond, 20));
    }
  }

  private final Map<String, Failures> failures = RecentMap.ofLastUsed(MAX_REMEMBERED);

  /** How long to wait before the next try; 0 if it may be now. */
  synchronized long pauseMillis(String key, long nowMillis) {
    Failures known = failures.get(key);
    if (known == null || nowMillis - known.lastMillis > FORGET_MILLIS) {
      return 0;
    }
    return Math.max(0, known.lastMillis + known.pauseMillis() - nowMillis);
  }

  synchronized void failed(String key, long nowMillis) {
    Failures known = failures.get(key);
    int before = known == null || nowMillis - known.lastMillis > FORGET_MILLIS ? 0 : known.count;
    failures.put(key, new Failures(before + 1, nowMillis));
  }

  synchronized void succeeded(String key) {
    failures.remove(key);
  }
}
