package dev.imker.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** READY tasks of one project and requirement class: a queue per priority. */
final class ClassQueues {
  private final @Nullable ReadyQueue[] queues = new ReadyQueue[JobHeader.PRIORITIES];
  private int filled;
  private int size;

  int size() {
    return size;
  }

  /** The highest priority that has a task; −1 without tasks. */
  int topPriority() {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(filled);
  }

  ReadyQueue top() {
    return Objects.requireNonNull(queues[topPriority()]);
  }

  /** When the first task of the highest priority was queued. */
  long topStamp() {
    return Objects.requireNonNull(top().head()).stamp;
  }

  void append(
      int priority, TaskArray job, StageTasks stage, int from, int toExclusive, long stamp) {
    ReadyQueue queue = queues[priority];
    if (queue == null) {
      queue = new ReadyQueue();
      queues[priority] = queue;
    }
    queue.append(job, stage, from, toExclusive, stamp);
    filled |= 1 << priority;
    size += toExclusive - from;
  }

  /** Removes the tasks from..to, which are some of a range that is queued here. */
  void cut(ReadyRange range, int from, int toExclusive) {
    ReadyQueue queue = Objects.requireNonNull(queues[range.priority]);
    queue.cut(range, from, toExclusive);
    shrunk(range.priority, queue, toExclusive - from);
  }

  /** Takes the first task of a range of the highest priority. */
  int take(ReadyRange range) {
    ReadyQueue queue = top();
    int index = queue.take(range);
    shrunk(topPriority(), queue, 1);
    return index;
  }

  @Nullable ReadyQueue queue(int priority) {
    return queues[priority];
  }

  private void shrunk(int priority, ReadyQueue queue, int by) {
    size -= by;
    if (queue.isEmpty()) {
      filled &= ~(1 << priority);
    }
  }
}
