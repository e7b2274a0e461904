package dev.imker.store.internal.live;

import dev.imker.store.internal.rows.TaskKey;
import java.util.Arrays;

/** Ranges of keys of tasks, each within one job, the last one included. */
public final class TaskRanges {
  private long[] firsts = new long[16];
  private long[] lasts = new long[16];
  private int count;

  public void add(long first, long last) {
    if (last < first) {
      return;
    }
    // Where one job ends, the next begins.
    if (count > 0 && first == lasts[count - 1] + 1 && TaskKey.index(first) != 0) {
      lasts[count - 1] = last;
      return;
    }
    if (count == firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * count);
      lasts = Arrays.copyOf(lasts, 2 * count);
    }
    firsts[count] = first;
    lasts[count] = last;
    count++;
  }

  public void addAll(TaskRanges others) {
    for (int i = 0; i < others.count; i++) {
      add(others.firsts[i], others.lasts[i]);
    }
  }

  public int size() {
    return count;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  public long first(int i) {
    return firsts[i];
  }

  public long last(int i) {
    return lasts[i];
  }

  /** The same keys in order, each once. */
  TaskRanges sorted() {
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(firsts[a], firsts[b]));
    TaskRanges sorted = new TaskRanges();
    for (int i : order) {
      int top = sorted.count - 1;
      if (top >= 0 && firsts[i] <= sorted.lasts[top]) {
        sorted.lasts[top] = Math.max(sorted.lasts[top], lasts[i]);
      } else {
        sorted.add(firsts[i], lasts[i]);
      }
    }
    return sorted;
  }
}
