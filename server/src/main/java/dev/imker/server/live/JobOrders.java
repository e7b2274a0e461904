package dev.imker.server.live;

import dev.imker.model.JobId;
import dev.imker.store.PoolStore;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Orders that take several turns, by job, in the order in which they came. Only the first one of a
 * job is carried out, so that a later one finds all of the earlier done and has the last word.
 * Belongs to the loop's thread.
 */
public final class JobOrders {
  /** Where orders are on disk that were begun and are not at their end. */
  private static final String BEGUN = "order/";

  private final Map<JobId, Deque<Object>> byJob = new HashMap<>();
  private final Map<String, String> begun = new LinkedHashMap<>();
  private int number;

  /** Reads the orders that a former leader, or this server before it failed, had begun. */
  public void restore(PoolStore store) {
    store.settings(BEGUN).entrySet().stream()
        .sorted(Comparator.comparing(Map.Entry::getKey))
        .forEach(order -> begun.put(order.getKey(), order.getValue()));
  }

  /**
   * Hands over, once, the orders that were begun, by their keys, in the order in which they were.
   */
  public void takeBegun(BiConsumer<String, String> taker) {
    if (!begun.isEmpty()) {
      Map<String, String> all = new LinkedHashMap<>(begun);
      begun.clear();
      all.forEach(taker);
    }
  }

  /** Where to keep an order that is begun now. */
  public String nextKey(long epoch) {
    return "%s%016x-%08x".formatted(BEGUN, epoch, number++);
  }

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
