package dev.imker.server.loop.pulse;

import java.util.OptionalLong;

/**
 * When the scheduler is told that time has passed. A tick comes after all that was in the inbox
 * when it was due, and with the time of then: no agent counts as silent because its sign of life
 * waits here.
 */
public final class Ticks {
  public static final long EVERY_MILLIS = 100;

  private static final long NONE = -1;

  private long nextMillis;
  private long dueMillis = NONE;
  private int before;

  /** A command was taken from the inbox. */
  public void taken() {
    before--;
  }

  /**
   * The time of the tick that is to be made now, if one is.
   *
   * @param waiting commands in the inbox
   */
  public OptionalLong due(long nowMillis, int waiting) {
    if (dueMillis == NONE && nowMillis >= nextMillis) {
      dueMillis = nowMillis;
      nextMillis = nowMillis + EVERY_MILLIS;
      before = waiting;
    }
    if (dueMillis == NONE || before > 0) {
      return OptionalLong.empty();
    }
    long millis = dueMillis;
    dueMillis = NONE;
    return OptionalLong.of(millis);
  }

  /** The one that was due is not made. */
  public void skip() {
    dueMillis = NONE;
  }
}
