package dev.imker.server.loop.pulse;

/**
 * Whether it pays to wait a moment for what comes of work that just went out: as long as it comes
 * in time. Where tasks are longer, callers are not made to wait for nothing; one time in many it is
 * tried again.
 */
public final class Haste {
  private static final int MAX_MISSES = 2;
  private static final int TRIED_AGAIN_AFTER = 20;

  private int misses;
  private int skipped;

  public boolean pays() {
    if (misses < MAX_MISSES) {
      return true;
    }
    skipped++;
    if (skipped < TRIED_AGAIN_AFTER) {
      return false;
    }
    skipped = 0;
    return true;
  }

  public void came(boolean inTime) {
    misses = inTime ? 0 : Math.min(MAX_MISSES, misses + 1);
  }
}
