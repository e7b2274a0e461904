package dev.imker.core.internal.queues;

import dev.imker.core.internal.tasks.ReadyRange;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** READY tasks of one project, requirement class and priority, first come first served. */
public final class ReadyQueue {
  private @Nullable ReadyRange head;
  private @Nullable ReadyRange tail;

  public @Nullable ReadyRange head() {
    return head;
  }

  /** When the first task was queued; only while there is one. */
  long headStamp() {
    return Objects.requireNonNull(head).stamp;
  }

  boolean isEmpty() {
    return head == null;
  }

  /** Adds tasks by their stamp; a range that continues the one before becomes part of it. */
  void add(ReadyRange range) {
    ReadyRange before = tail;
    if (before != null && before.stamp > range.stamp) {
      before = null;
      for (ReadyRange r = head; r != null && r.stamp <= range.stamp; r = r.after) {
        before = r;
      }
    }
    if (before != null && before.stage == range.stage && before.toExclusive == range.from) {
      before.toExclusive = range.toExclusive;
    } else {
      link(range, before);
    }
  }

  /** Takes the first task out of a range of this queue. */
  int take(ReadyRange range) {
    int index = range.from++;
    if (range.from == range.toExclusive) {
      unlink(range);
    }
    return index;
  }

  /** Removes the tasks from..to, which are some of a range of this queue. */
  void cut(ReadyRange range, int from, int toExclusive) {
    if (from > range.from && toExclusive < range.toExclusive) {
      link(range.tail(toExclusive), range);
      range.toExclusive = from;
    } else if (from > range.from) {
      range.toExclusive = from;
    } else if (toExclusive < range.toExclusive) {
      range.from = toExclusive;
    } else {
      unlink(range);
    }
  }

  private void link(ReadyRange range, @Nullable ReadyRange before) {
    ReadyRange after = before == null ? head : before.after;
    range.before = before;
    range.after = after;
    if (before == null) {
      head = range;
    } else {
      before.after = range;
    }
    if (after == null) {
      tail = range;
    } else {
      after.before = range;
    }
    range.stage.linkRange(range);
  }

  private void unlink(ReadyRange range) {
    ReadyRange before = range.before;
    ReadyRange after = range.after;
    if (before == null) {
      head = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      tail = before;
    } else {
      after.before = before;
    }
    range.stage.unlinkRange(range);
  }
}
