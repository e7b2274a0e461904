package dev.imker.server.rest;

import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.store.Reads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tasks of a job in the order of a figure; those that have none come last. */
final class TaskOrder {
  /** What tasks can be sorted by. */
  enum Key {
    NUMBER,
    STATE,
    STARTED,
    ENDED,
    DURATION,
    ATTEMPTS
  }

  /** Positions have 24 bits; what is left is enough for milliseconds of seventeen years. */
  private static final int INDEX_BITS = 24;

  private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

  private final int[] indexes;
  private final byte[] states;
  private final int sorted;

  private TaskOrder(int[] indexes, byte[] states, int sorted) {
    this.indexes = indexes;
    this.states = states;
    this.sorted = sorted;
  }

  /**
   * Reads all tasks once and sorts them.
   *
   * @param live ordinals of the states of a job in memory: on disk, tasks in their initial state
   *     have none
   */
  static TaskOrder read(Reads reads, JobId job, int tasks, Key key, byte @Nullable [] live) {
    Figures figures = new Figures(tasks, key, live);
    reads.forEachTask(job, figures::add);
    return figures.sorted();
  }

  /** A position in the order, and the task there. */
  record Entry(int position, int index) {}

  /**
   * Tasks in one of the states, from a position on.
   *
   * @param descending begins with the greatest; tasks without a figure still come last
   */
  List<Entry> page(Set<TaskState> wanted, boolean descending, int from, int limit) {
    List<Entry> page = new ArrayList<>();
    for (int position = from; position < indexes.length && page.size() < limit; position++) {
      int index = indexes[descending && position < sorted ? sorted - 1 - position : position];
      if (wanted.isEmpty() || wanted.contains(TaskState.values()[states[index]])) {
        page.add(new Entry(position, index));
      }
    }
    return page;
  }

  /**
   * Gathers figures; each is sorted as the high bits of a number whose low ones are the position.
   */
  private static final class Figures {
    private final int tasks;
    private final Key key;
    private final boolean isLive;
    private final byte[] states;
    private final BitSet with = new BitSet();
    private final long[] values;
    private int count;
    private long least = Long.MAX_VALUE;

    Figures(int tasks, Key key, byte @Nullable [] live) {
      this.tasks = tasks;
      this.key = key;
      isLive = live != null;
      states = live == null ? new byte[tasks] : live;
      values = new long[tasks];
    }

    void add(int index, TaskState state, int attempts, long started, long ended) {
      if (!isLive) {
        states[index] = (byte) state.ordinal();
      }
      long value =
          switch (key) {
            case NUMBER, STATE -> -1;
            case STARTED -> started > 0 ? started : -1;
            case ENDED -> ended > 0 ? ended : -1;
            case DURATION -> started > 0 && ended > 0 ? Math.max(0, ended - started) : -1;
            case ATTEMPTS -> attempts;
          };
      if (value >= 0) {
        with.set(index);
        values[index] = value;
        least = Math.min(least, value);
        count++;
      }
    }

    TaskOrder sorted() {
      if (key == Key.NUMBER || key == Key.STATE) {
        takeAll();
      }
      long[] keys = new long[count];
      int next = 0;
      for (int i = with.nextSetBit(0); i >= 0; i = with.nextSetBit(i + 1)) {
        keys[next++] = (values[i] - least) << INDEX_BITS | i;
      }
      Arrays.sort(keys);
      int[] indexes = new int[tasks];
      for (int i = 0; i < count; i++) {
        indexes[i] = (int) (keys[i] & INDEX_MASK);
      }
      next = count;
      for (int i = with.nextClearBit(0); i < tasks; i = with.nextClearBit(i + 1)) {
        indexes[next++] = i;
      }
      return new TaskOrder(indexes, states, count);
    }

    private void takeAll() {
      for (int i = 0; i < tasks; i++) {
        values[i] = key == Key.STATE ? states[i] : 0;
      }
      with.set(0, tasks);
      count = tasks;
      least = 0;
    }
  }
}
