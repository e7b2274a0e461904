package dev.imker.server.internal.rest.tasks;

import dev.imker.model.TaskState;
import dev.imker.server.internal.columns.TaskColumns;
import java.util.Arrays;
import java.util.Set;

/**
 * Picks a page out of the tasks of a job in the order of a figure; those that have none come last.
 * Only the page is sorted: all that is before and behind it is told apart by quickselect (Hoare,
 * 1961), so that a page of a million tasks takes some milliseconds, wherever it is.
 */
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

  /** Positions have 24 bits; what is left is enough for milliseconds of thirty years. */
  private static final int INDEX_BITS = 24;

  private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

  private final TaskColumns columns;
  private final Key key;
  private final boolean descending;
  private final int wanted;

  /**
   * @param wanted an empty set lets all states pass
   * @param descending begins with the greatest; tasks without a figure still come last
   */
  TaskOrder(TaskColumns columns, Key key, Set<TaskState> wanted, boolean descending) {
    this.columns = columns;
    this.key = key;
    this.descending = descending;
    int mask = wanted.isEmpty() ? -1 : 0;
    for (TaskState state : wanted) {
      mask |= 1 << state.ordinal();
    }
    this.wanted = mask;
  }

  /** Indexes of the tasks from a position on, counted among those in a wanted state. */
  int[] page(int from, int limit) {
    long[] keys = new long[columns.tasks()];
    int with = keys(keys);
    int first = Math.min(from, with);
    int end = Math.min(with, first + limit);
    if (first < end) {
      if (first > 0) {
        select(keys, 0, with - 1, first);
      }
      if (end < with) {
        select(keys, first, with - 1, end);
      }
      Arrays.sort(keys, first, end);
    }
    int[] page = new int[limit];
    int size = 0;
    for (int i = first; i < end; i++) {
      long plain = descending ? Long.MAX_VALUE - keys[i] : keys[i];
      page[size++] = (int) (plain & INDEX_MASK);
    }
    size = addWithoutFigure(page, size, from - with);
    return Arrays.copyOf(page, size);
  }

  private boolean isWanted(int index) {
    return (wanted >> columns.state(index) & 1) != 0;
  }

  /** Figures as the high bits of numbers whose low ones are the positions; how many there are. */
  private int keys(long[] keys) {
    int[] indexes = new int[keys.length];
    int count = 0;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < keys.length; i++) {
      long value = isWanted(i) ? value(i) : -1;
      if (value >= 0) {
        keys[count] = value;
        indexes[count++] = i;
        least = Math.min(least, value);
      }
    }
    for (int i = 0; i < count; i++) {
      long plain = ((keys[i] - least) << INDEX_BITS) | indexes[i];
      keys[i] = descending ? Long.MAX_VALUE - plain : plain;
    }
    return count;
  }

  private long value(int index) {
    return switch (key) {
      case NUMBER -> 0;
      case STATE -> columns.state(index);
      case STARTED -> orNone(columns.started(index));
      case ENDED -> orNone(columns.ended(index));
      case DURATION -> {
        long started = columns.started(index);
        long ended = columns.ended(index);
        yield started > 0 && ended > 0 ? Math.max(0, ended - started) : -1;
      }
      case ATTEMPTS -> orNone(columns.attempts(index));
    };
  }

  private static long orNone(long figure) {
    return figure > 0 ? figure : -1;
  }

  private int addWithoutFigure(int[] page, int size, int skip) {
    int next = size;
    int left = skip;
    for (int i = 0; i < columns.tasks() && next < page.length; i++) {
      if (isWanted(i) && value(i) < 0) {
        left--;
        if (left < 0) {
          page[next++] = i;
        }
      }
    }
    return next;
  }

  /** Brings the number that belongs to a place there, smaller ones before it. All differ. */
  private static void select(long[] keys, int from, int to, int place) {
    int low = from;
    int high = to;
    while (low < high) {
      long pivot = median(keys[low], keys[(low + high) >>> 1], keys[high]);
      int i = low;
      int j = high;
      while (i <= j) {
        while (keys[i] < pivot) {
          i++;
        }
        while (keys[j] > pivot) {
          j--;
        }
        if (i <= j) {
          long other = keys[i];
          keys[i++] = keys[j];
          keys[j--] = other;
        }
      }
      if (place <= j) {
        high = j;
      } else if (place >= i) {
        low = i;
      } else {
        return;
      }
    }
  }

  private static long median(long a, long b, long c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
