package dev.imker.core.internal.leases;

import dev.imker.core.internal.tasks.LiveAttempt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Attempts by the time their run-time limit ends; a binary heap that can remove from the middle.
 */
final class LimitHeap {
  private final List<LiveAttempt> heap = new ArrayList<>();

  void add(LiveAttempt attempt, long limitMillis) {
    attempt.limitMillis = limitMillis;
    heap.add(attempt);
    up(attempt, heap.size() - 1);
  }

  /** No effect on an attempt that is not here. */
  void remove(LiveAttempt attempt) {
    int position = attempt.heapPosition;
    if (position < 0) {
      return;
    }
    attempt.heapPosition = -1;
    LiveAttempt last = heap.removeLast();
    if (last != attempt) {
      up(last, position);
      down(last, last.heapPosition);
    }
  }

  /** Removes and returns an attempt whose limit is over; null if there is none. */
  @Nullable LiveAttempt pollOver(long nowMillis) {
    if (heap.isEmpty() || heap.getFirst().limitMillis > nowMillis) {
      return null;
    }
    LiveAttempt first = heap.getFirst();
    remove(first);
    return first;
  }

  private void up(LiveAttempt attempt, int from) {
    int position = from;
    while (position > 0) {
      int parent = (position - 1) / 2;
      LiveAttempt above = heap.get(parent);
      if (above.limitMillis <= attempt.limitMillis) {
        break;
      }
      place(above, position);
      position = parent;
    }
    place(attempt, position);
  }

  private void down(LiveAttempt attempt, int from) {
    int position = from;
    while (2 * position + 1 < heap.size()) {
      int child = 2 * position + 1;
      if (child + 1 < heap.size()
          && heap.get(child + 1).limitMillis < heap.get(child).limitMillis) {
        child++;
      }
      if (heap.get(child).limitMillis >= attempt.limitMillis) {
        break;
      }
      place(heap.get(child), position);
      position = child;
    }
    place(attempt, position);
  }

  private void place(LiveAttempt attempt, int position) {
    heap.set(position, attempt);
    attempt.heapPosition = position;
  }
}
