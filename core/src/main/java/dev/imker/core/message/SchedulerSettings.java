package dev.imker.core.message;

/**
 * @param leaseMillis silence of an agent after which its leases are lost
 * @param maxLosses lost attempts after which a task is held back
 * @param prefetchMillis how much work beyond its slots an agent may hold, by expected run time
 * @param maxPrefetch how many leases beyond its slots an agent may hold
 * @param lostReturnDelayMillis how long a task whose attempt was lost stays RUNNING before it is
 *     READY again; the profiles learn of the loss at once
 * @param avoidMillis how long a failed task is kept from the node it failed on while another free
 *     node could take it
 */
public record SchedulerSettings(
    long leaseMillis,
    int maxLosses,
    long prefetchMillis,
    int maxPrefetch,
    long lostReturnDelayMillis,
    long avoidMillis) {
  public static SchedulerSettings defaults() {
    return new SchedulerSettings(30_000, 5, 100, 4096, 0, 2_000);
  }

  public SchedulerSettings withLeaseMillis(long millis) {
    return new SchedulerSettings(
        millis, maxLosses, prefetchMillis, maxPrefetch, lostReturnDelayMillis, avoidMillis);
  }

  public SchedulerSettings withMaxLosses(int losses) {
    return new SchedulerSettings(
        leaseMillis, losses, prefetchMillis, maxPrefetch, lostReturnDelayMillis, avoidMillis);
  }

  public SchedulerSettings withPrefetch(long millis, int most) {
    return new SchedulerSettings(
        leaseMillis, maxLosses, millis, most, lostReturnDelayMillis, avoidMillis);
  }

  public SchedulerSettings withLostReturnDelayMillis(long millis) {
    return new SchedulerSettings(
        leaseMillis, maxLosses, prefetchMillis, maxPrefetch, millis, avoidMillis);
  }
}
