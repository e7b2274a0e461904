package dev.imker.server.internal.auth;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limits how many refusals are recorded: enough to notice them, but not enough to fill the disk.
 * Nobody can hide the refusals of others behind many of their own.
 */
public final class RefusalLimit {
  private static final int PER_MINUTE = 60;
  private static final int PER_MINUTE_AND_SOURCE = 10;
  private static final long MINUTE_MILLIS = 60_000;

  private final Map<String, Integer> noted = new HashMap<>();
  private long minute;
  private int left = PER_MINUTE;
  private long unnoted;

  /**
   * Whether one more may be written down now; if so it counts, and what is returned goes with it:
   * how many were not, since the last that was.
   *
   * @param source who or what was refused, as an address
   */
  public synchronized Optional<String> tryNote(String source, long nowMillis) {
    long now = nowMillis / MINUTE_MILLIS;
    if (now != minute) {
      minute = now;
      left = PER_MINUTE;
      noted.clear();
    }
    if (left == 0 || noted.getOrDefault(source, 0) == PER_MINUTE_AND_SOURCE) {
      unnoted++;
      return Optional.empty();
    }
    left--;
    noted.merge(source, 1, Integer::sum);
    long before = unnoted;
    unnoted = 0;
    return Optional.of(before == 0 ? "" : " (and " + before + " more refusals before it)");
  }
}
