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
 * @param tasksPerTurn how many tasks change in one turn because of another; the rest follows in
 *     later ones
 * @param fewMachines in pools of up to so many machines the first in line is looked for on every
 *     one; in larger ones now and then
 */
public record SchedulerSettings(
    long leaseMillis,
    int maxLosses,
    long prefetchMillis,
    int maxPrefetch,
    long lostReturnDelayMillis,
    long avoidMillis,
    int tasksPerTurn,
    int fewMachines) {
  /** Writing so many rows takes some 10 ms. */
  public static final int TASKS_PER_TURN = 1_000;

  public static SchedulerSettings defaults() {
    return new SchedulerSettings(30_000, 5, 100, 4096, 0, 2_000, TASKS_PER_TURN, 64);
  }

  public SchedulerSettings withLeaseMillis(long millis) {
    return new SchedulerSettings(
        millis,
        maxLosses,
        prefetchMillis,
        maxPrefetch,
        lostReturnDelayMillis,
        avoidMillis,
        tasksPerTurn,
        fewMachines);
  }

  public SchedulerSettings withMaxLosses(int losses) {
    return new SchedulerSettings(
        leaseMillis,
        losses,
        prefetchMillis,
        maxPrefetch,
        lostReturnDelayMillis,
        avoidMillis,
        tasksPerTurn,
        fewMachines);
  }

  public SchedulerSettings withPrefetch(long millis, int most) {
    return new SchedulerSettings(
        leaseMillis,
        maxLosses,
        millis,
        most,
        lostReturnDelayMillis,
        avoidMillis,
        tasksPerTurn,
        fewMachines);
  }

  public SchedulerSettings withLostReturnDelayMillis(long millis) {
    return new SchedulerSettings(
        leaseMillis,
        maxLosses,
        prefetchMillis,
        maxPrefetch,
        millis,
        avoidMillis,
        tasksPerTurn,
        fewMachines);
  }

  public SchedulerSettings withTasksPerTurn(int tasks) {
    return new SchedulerSettings(
        leaseMillis,
        maxLosses,
        prefetchMillis,
        maxPrefetch,
        lostReturnDelayMillis,
        avoidMillis,
        tasks,
        fewMachines);
  }

  public SchedulerSettings withFewMachines(int machines) {
    return new SchedulerSettings(
        leaseMillis,
        maxLosses,
        prefetchMillis,
        maxPrefetch,
        lostReturnDelayMillis,
        avoidMillis,
        tasksPerTurn,
        machines);
  }
}
