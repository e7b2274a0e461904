package dev.imker.core.internal.queues;

import dev.imker.core.internal.tasks.ReadyRange;
import dev.imker.core.profile.NodeProfile;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** READY tasks of one project, requirement class and priority, first come first served. */
public final class ReadyQueue {
  /** How far to look for a task that a node has not voted on. */
  private static final int MAX_VOTES_LOOKED_AT = 1024;

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

  /**
   * The first range whose first task still needs the result of a node: one that has voted gets the
   * next. A range of which only later tasks need it is parted before them.
   */
  public @Nullable ReadyRange firstWithoutVoteOf(NodeProfile node) {
    int left = MAX_VOTES_LOOKED_AT;
    for (ReadyRange range = head; range != null && left > 0; range = range.after) {
      for (int index = range.from; index < range.toExclusive && left > 0; index++, left--) {
        if (!range.job.hasVoteOf(index, node)) {
          return index == range.from ? range : part(range, index);
        }
      }
    }
    return null;
  }

  private ReadyRange part(ReadyRange range, int at) {
    ReadyRange rest = range.tail(at);
    link(rest, range);
    range.toExclusive = at;
    return rest;
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
