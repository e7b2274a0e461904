package dev.imker.model.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits of adjacent tasks of a job that differ from those of the job.
 *
 * @param from position of the first task, zero-based
 * @param priority null: as for the job; also for the other components
 * @param maxRuntimeMillis 0 means no limit
 * @param pin empty means any node
 */
public record TaskLimits(
    int from,
    int toExclusive,
    @Nullable Integer priority,
    @Nullable Integer maxFailures,
    @Nullable Long maxRuntimeMillis,
    @Nullable String pin) {
  public TaskLimits {
    if (from < 0 || toExclusive <= from) {
      throw new IllegalArgumentException("tasks " + from + " to " + toExclusive);
    }
  }

  /** Whether these tasks have no limits of their own. */
  public boolean sayNothing() {
    return priority == null && maxFailures == null && maxRuntimeMillis == null && pin == null;
  }

  private TaskLimits at(int first, int end) {
    return new TaskLimits(first, end, priority, maxFailures, maxRuntimeMillis, pin);
  }

  private TaskLimits under(TaskLimits newer) {
    return new TaskLimits(
        from,
        toExclusive,
        newer.priority == null ? priority : newer.priority,
        newer.maxFailures == null ? maxFailures : newer.maxFailures,
        newer.maxRuntimeMillis == null ? maxRuntimeMillis : newer.maxRuntimeMillis,
        newer.pin == null ? pin : newer.pin);
  }

  /** Without limits that have since been set for the whole job. */
  public TaskLimits without(boolean noPriority, boolean noFailures, boolean noTime, boolean noPin) {
    return new TaskLimits(
        from,
        toExclusive,
        noPriority ? null : priority,
        noFailures ? null : maxFailures,
        noTime ? null : maxRuntimeMillis,
        noPin ? null : pin);
  }

  private boolean equalsBut(TaskLimits other) {
    return at(0, 1).equals(other.at(0, 1));
  }

  /**
   * Combines the present limits with newer ones.
   *
   * @param present sorted and disjoint, like the result
   */
  public static List<TaskLimits> overlay(List<TaskLimits> present, TaskLimits newer) {
    List<TaskLimits> parts = new ArrayList<>();
    int next = newer.from;
    for (TaskLimits old : present) {
      int first = Math.max(old.from, newer.from);
      int end = Math.min(old.toExclusive, newer.toExclusive);
      if (first >= end) {
        parts.add(old);
        continue;
      }
      add(parts, old.from, first, old);
      add(parts, next, first, newer);
      parts.add(old.at(first, end).under(newer));
      add(parts, end, old.toExclusive, old);
      next = end;
    }
    add(parts, next, newer.toExclusive, newer);
    parts.sort(Comparator.comparingInt(TaskLimits::from));
    return joined(parts);
  }

  private static void add(List<TaskLimits> parts, int from, int toExclusive, TaskLimits limits) {
    if (from < toExclusive) {
      parts.add(limits.at(from, toExclusive));
    }
  }

  /** Merges adjacent ranges with the same limits; ranges without limits are left out. */
  public static List<TaskLimits> joined(List<TaskLimits> parts) {
    List<TaskLimits> all = new ArrayList<>();
    for (TaskLimits part : parts) {
      TaskLimits last = all.isEmpty() ? null : all.getLast();
      if (part.sayNothing()) {
        continue;
      }
      if (last != null && last.toExclusive == part.from && last.equalsBut(part)) {
        all.set(all.size() - 1, last.at(last.from, part.toExclusive));
      } else {
        all.add(part);
      }
    }
    return List.copyOf(all);
  }

  /** The limits of one task; null if it has none of its own. */
  public static @Nullable TaskLimits of(List<TaskLimits> all, int index) {
    int low = 0;
    int high = all.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      TaskLimits limits = all.get(middle);
      if (index < limits.from) {
        high = middle - 1;
      } else if (index >= limits.toExclusive) {
        low = middle + 1;
      } else {
        return limits;
      }
    }
    return null;
  }
}
