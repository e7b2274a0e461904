package dev.imker.core.internal.queues;

import dev.imker.core.internal.tasks.ReadyRange;
import dev.imker.core.message.JobHeader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** READY tasks of one project and requirement class: a queue per priority. */
public final class ClassQueues {
  private final @Nullable ReadyQueue[] queues = new ReadyQueue[JobHeader.PRIORITIES];
  private int filled;
  private int size;

  public int size() {
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
    return top().headStamp();
  }

  /** The queue whose first task waits longest, whatever its priority; not without tasks. */
  ReadyQueue oldest() {
    ReadyQueue oldest = top();
    for (ReadyQueue queue : queues) {
      if (queue != null && !queue.isEmpty() && queue.headStamp() < oldest.headStamp()) {
        oldest = queue;
      }
    }
    return oldest;
  }

  void add(ReadyRange range) {
    ReadyQueue queue = queues[range.priority];
    if (queue == null) {
      queue = new ReadyQueue();
      queues[range.priority] = queue;
    }
    size += range.size();
    queue.add(range);
    filled |= 1 << range.priority;
  }

  /** Removes the tasks from..to, which are some of a range that is queued here. */
  void cut(ReadyRange range, int from, int toExclusive) {
    ReadyQueue queue = Objects.requireNonNull(queues[range.priority]);
    queue.cut(range, from, toExclusive);
    shrunk(range.priority, queue, toExclusive - from);
  }

  /** Takes the first task of a range that is queued here. */
  int take(ReadyRange range) {
    ReadyQueue queue = Objects.requireNonNull(queues[range.priority]);
    int index = queue.take(range);
    shrunk(range.priority, queue, 1);
    return index;
  }

  public @Nullable ReadyQueue queue(int priority) {
    return queues[priority];
  }

  private void shrunk(int priority, ReadyQueue queue, int by) {
    size -= by;
    if (queue.isEmpty()) {
      filled &= ~(1 << priority);
    }
  }
}
