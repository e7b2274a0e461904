package dev.imker.core.internal.tasks;

import org.jspecify.annotations.Nullable;

/** A small count per task that is zero for nearly all of them; costs nothing until one is not. */
public final class Tally {
  private final int size;
  private short @Nullable [] counts;

  Tally(int size) {
    this.size = size;
  }

  public int get(int index) {
    return counts == null ? 0 : counts[index];
  }

  /** Stops counting at 32767. */
  public void set(int index, int count) {
    if (counts == null) {
      if (count == 0) {
        return;
      }
      counts = new short[size];
    }
    counts[index] = (short) Math.min(count, Short.MAX_VALUE);
  }

  public int increment(int index) {
    set(index, get(index) + 1);
    return get(index);
  }

  boolean isAllZero() {
    return counts == null;
  }
}
