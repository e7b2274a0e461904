package dev.imker.core.internal.tasks;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The order in which the tasks of a job finished: the last one is undone first. */
public final class DoneOrder {
  private final boolean needed;
  private final int size;
  private final BitSet done;
  private long @Nullable [] atMillis;
  private long lastMillis;

  /**
   * @param needed whether the job may have to be rolled back
   * @param done the tasks that are DONE at present
   */
  DoneOrder(boolean needed, int size, BitSet done) {
    this.needed = needed;
    this.size = size;
    this.done = done;
  }

  /**
   * A task is done.
   *
   * @return when it counts as done: no two of such a job at the same time, so that what is kept of
   *     it tells their order
   */
  public long add(int index, long nowMillis) {
    if (!needed) {
      return nowMillis;
    }
    long millis = Math.max(lastMillis + 1, nowMillis);
    restore(index, millis);
    return millis;
  }

  /** The same for a task that was done in a former life of the pool, in any order. */
  public void restore(int index, long millis) {
    if (needed) {
      if (atMillis == null) {
        atMillis = new long[size];
      }
      atMillis[index] = millis;
      lastMillis = Math.max(lastMillis, millis);
    }
  }

  /** The DONE task that was done last; −1 if there is none. */
  public int last() {
    int last = -1;
    for (int i = done.nextSetBit(0); i >= 0; i = done.nextSetBit(i + 1)) {
      if (last < 0 || atMillis == null || atMillis[i] >= atMillis[last]) {
        last = i;
      }
    }
    return last;
  }
}
