package dev.imker.server.live;

import dev.imker.model.JobId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Orders that take several turns, by job, in the order in which they came. Only the first one of a
 * job is carried out, so that a later one finds all of the earlier done and has the last word.
 * Belongs to the loop's thread.
 */
public final class JobOrders {
  private final Map<JobId, Deque<Object>> byJob = new HashMap<>();

  /** Whether it is this order's turn; it lines up if it has not yet. */
  public boolean isTurnOf(JobId job, Object order) {
    Deque<Object> orders = byJob.computeIfAbsent(job, _ -> new ArrayDeque<>());
    if (!orders.contains(order)) {
      orders.addLast(order);
    }
    return order.equals(orders.peekFirst());
  }

  /** It is done, or has failed. */
  public void end(JobId job, Object order) {
    byJob.computeIfPresent(
        job,
        (_, orders) -> {
          orders.remove(order);
          return orders.isEmpty() ? null : orders;
        });
  }

  public boolean hasAny(JobId job) {
    return byJob.containsKey(job);
  }
}
