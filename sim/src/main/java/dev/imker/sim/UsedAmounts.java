package dev.imker.sim;

import dev.imker.model.Granted;
import dev.imker.model.Platform;
import dev.imker.model.job.Requirements;
import dev.imker.sim.config.SimConfig;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How much tasks hold of what the pool and the machines that are there have. */
final class UsedAmounts {
  /** Of one resource; bytes of memory and disk, hundredths of all else. */
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

  /** A machine came (1) or went (-1). */
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

  /** A task took what it was given (1), or gave it back (-1). */
  void take(Granted granted, int sign) {
    granted.amounts().forEach((name, amount) -> sums(name).taken += sign * amount);
  }

  /**
   * A minute begins.
   *
   * @param counted whether it is one of those that averages are taken over
   * @param waiting whether tasks wait for what others hold
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
