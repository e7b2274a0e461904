package dev.imker.sim.bound;

import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.RunTimes;
import dev.imker.sim.config.SimConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * The earliest end that a pool could reach on average if all its failure rates were known and tasks
 * could be divided among machines like a fluid: a linear programme. Unknowns are how many tasks of
 * each project machines of each kind begin at each up-time; successful ones continue at a later
 * up-time, failed ones restart; the minutes spent do not exceed the available ones. How many times
 * the work can be done within T minutes is its maximum, and the bound is the T for which that is 1.
 */
public final class EndBound {
  private static final int STEP_MINUTES = 10;
  private static final int STEPS = 80;
  private static final int HALVINGS = 14;

  private final List<Machines> machines;
  private final List<Arrival> work;
  private final Attempt[][][] attempts;
  private final int[][] lengths;

  private EndBound(SimConfig config) {
    machines = config.machines();
    work = config.arrivals();
    attempts = new Attempt[machines.size()][STEPS][work.size()];
    lengths = new int[machines.size()][work.size()];
    for (int g = 0; g < machines.size(); g++) {
      for (int k = 0; k < work.size(); k++) {
        lengths[g][k] = length(machines.get(g), work.get(k));
        for (int s = 0; s < STEPS; s++) {
          attempts[g][s][k] =
              Attempt.of(machines.get(g).failures(), 1, s * STEP_MINUTES, lengths[g][k]);
        }
      }
    }
  }

  static int length(Machines kind, Arrival arrival) {
    if (!(arrival.runTimes() instanceof RunTimes.Fixed fixed)) {
      throw new IllegalArgumentException("the bound is for tasks of fixed length only");
    }
    return (int) Math.max(1, Math.round(fixed.minutes() * kind.slowdown()));
  }

  /** A lower bound of the average minutes for any scheduler. */
  public static double minutes(SimConfig config) {
    EndBound bound = new EndBound(config);
    double low = 0;
    double high = 1;
    while (bound.timesDone(high) < 1) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (bound.timesDone(middle) < 1) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** How many times the pool can do all the work in that time. */
  private double timesDone(double minutes) {
    int unknowns = machines.size() * STEPS * work.size() + 1;
    int times = unknowns - 1;
    List<double[]> rows = new ArrayList<>();
    for (int k = 0; k < work.size(); k++) {
      double[] row = new double[unknowns + 1];
      row[times] = 1;
      rows.add(row);
    }
    for (int g = 0; g < machines.size(); g++) {
      addKind(g, minutes, unknowns, rows);
    }
    double[] objective = new double[unknowns];
    objective[times] = 1;
    return new Simplex(rows.toArray(double[][]::new), objective).solve()[times];
  }

  private void addKind(int g, double minutes, int unknowns, List<double[]> rows) {
    double count = machines.get(g).count();
    double[] time = new double[unknowns + 1];
    double[][] begun = new double[STEPS][unknowns + 1];
    for (int s = 0; s < STEPS; s++) {
      for (int k = 0; k < work.size(); k++) {
        int unknown = (g * STEPS + s) * work.size() + k;
        Attempt attempt = attempts[g][s][k];
        int after = Math.min(STEPS - 1, s + lengths[g][k] / STEP_MINUTES);
        begun[s][unknown] += 1;
        begun[after][unknown] -= attempt.success();
        begun[0][unknown] -= 1 - attempt.success();
        time[unknown] = attempt.busyMinutes();
        rows.get(k)[unknown] = -attempt.success() / work.get(k).count();
      }
    }
    begun[0][unknowns] = count;
    time[unknowns] = count * minutes;
    rows.addAll(List.of(begun));
    rows.add(time);
  }
}
