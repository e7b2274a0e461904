package dev.imker.sim;

import dev.imker.model.Granted;
import dev.imker.model.Platform;
import dev.imker.model.job.Requirements;
import dev.imker.sim.config.SimConfig;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How much tasks hold of the resources of the pool and the present machines. */
final class UsedAmounts {
  /** One resource; memory and disk in bytes, all others in hundredths. */
  private static final class Sums {
    private long has;
    private long taken;
    private double hasEver;
    private double takenEver;
    private double hasWhileWaiting;
    private double takenWhileWaiting;
  }

  private final Map<String, Double> ofPool;
  private final SortedMap<String, Sums> all = new TreeMap<>();

  UsedAmounts(SimConfig config) {
    ofPool = config.resources();
    ofPool.forEach((name, amount) -> sums(name).has = Requirements.hundredths(amount));
  }

  private Sums sums(String name) {
    return all.computeIfAbsent(name, key -> new Sums());
  }

  /** A machine arrived (1) or left (-1). */
  void offer(Platform machine, int sign) {
    machine
        .amounts()
        .forEach(
            (name, amount) -> {
              if (!ofPool.containsKey(name)) {
                sums(name).has += sign * amount;
              }
            });
  }

  /** A task took its resources (1) or returned them (-1). */
  void take(Granted granted, int sign) {
    granted.amounts().forEach((name, amount) -> sums(name).taken += sign * amount);
  }

  /**
   * A minute begins.
   *
   * @param counted whether it counts for averages
   * @param waiting whether tasks wait for resources held by others
   */
  void onMinute(boolean counted, boolean waiting) {
    for (Sums one : all.values()) {
      if (counted) {
        one.hasEver += one.has;
        one.takenEver += one.taken;
      }
      if (waiting) {
        one.hasWhileWaiting += one.has;
        one.takenWhileWaiting += one.taken;
      }
    }
  }

  /** Percent in use now, by name. */
  SortedMap<String, Double> now() {
    SortedMap<String, Double> shares = new TreeMap<>();
    all.forEach((name, one) -> shares.put(name, percent((double) one.taken, (double) one.has)));
    return shares;
  }

  SortedMap<String, SimRun.Used> means() {
    SortedMap<String, SimRun.Used> means = new TreeMap<>();
    all.forEach(
        (name, one) ->
            means.put(
                name,
                new SimRun.Used(
                    percent(one.takenEver, one.hasEver),
                    percent(one.takenWhileWaiting, one.hasWhileWaiting))));
    return means;
  }

  private static double percent(double taken, double has) {
    return has == 0 ? 0 : 100 * taken / has;
  }
}
