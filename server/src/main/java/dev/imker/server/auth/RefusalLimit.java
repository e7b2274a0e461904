package dev.imker.server.auth;

/** How many refusals are written down: enough to see them, and never enough to fill the disk. */
public final class RefusalLimit {
  private static final int PER_MINUTE = 60;
  private static final long MINUTE_MILLIS = 60_000;

  private long minute;
  private int noted;

  /** Whether one more may be written down now; if so, it counts. */
  public synchronized boolean tryNote(long nowMillis) {
    long now = nowMillis / MINUTE_MILLIS;
    if (now != minute) {
      minute = now;
      noted = 0;
    }
    return ++noted <= PER_MINUTE;
  }
}
