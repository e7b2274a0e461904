package dev.imker.core.internal.leases;

import dev.imker.core.internal.tasks.RunningTask;
import org.jspecify.annotations.Nullable;

/** RUNNING tasks that may be handed out speculatively, the longest running first. */
public final class CopyableTasks {
  private @Nullable RunningTask head;
  private @Nullable RunningTask tail;
  private int size;

  public @Nullable RunningTask head() {
    return head;
  }

  public int size() {
    return size;
  }

  void append(RunningTask task) {
    task.before = tail;
    if (tail == null) {
      head = task;
    } else {
      tail.after = task;
    }
    tail = task;
    size++;
  }

  void remove(RunningTask task) {
    RunningTask before = task.before;
    RunningTask after = task.after;
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
    task.before = null;
    task.after = null;
    size--;
  }
}
