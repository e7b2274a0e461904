package dev.imker.sim.bound;

import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.SimConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * The largest share of done work, as a mean over time and projects, that a pool could reach on
 * average if all its failure rates were known, tasks could be divided like a fluid and failures did
 * not depend on up-times: a linear programme over the minutes that machines of each kind give to
 * each project in each span of time. The efficiency is that of this solution, in which nobody is
 * idle while there is work; it is not a bound, because idling loses nothing.
 *
 * @param avDone in percent
 * @param avEff in percent
 */
public record ShareBound(double avDone, double avEff) {
  private static final int SPANS = 30;

  public static ShareBound of(SimConfig config) {
    return new Programme(config).solve();
  }

  private static final class Programme {
    private final SimConfig config;
    private final List<Machines> machines;
    private final List<Arrival> work;
    private final double width;
    private final int unknowns;

    Programme(SimConfig config) {
      this.config = config;
      machines = config.machines();
      work = config.arrivals();
      width = (double) config.minutes() / SPANS;
      unknowns = SPANS * machines.size() * work.size();
    }

    private int unknown(int span, int kind, int project) {
      return (span * machines.size() + kind) * work.size() + project;
    }

    private double middle(int span) {
      return (span + 0.5) * width;
    }

    private Attempt attempt(int span, int kind, int project) {
      Machines one = machines.get(kind);
      int length = EndBound.length(one, work.get(project));
      return Attempt.of(one.failures(), (int) middle(span), 0, length);
    }

    ShareBound solve() {
      List<double[]> rows = new ArrayList<>();
      for (Arrival arrival : work) {
        double[] row = new double[unknowns + 1];
        row[unknowns] = arrival.count();
        rows.add(row);
      }
      double[] objective = new double[unknowns];
      for (int t = 0; t < SPANS; t++) {
        double left = (config.minutes() - middle(t)) / config.minutes();
        for (int g = 0; g < machines.size(); g++) {
          double[] time = new double[unknowns + 1];
          time[unknowns] = machines.get(g).count() * width;
          rows.add(time);
          for (int k = 0; k < work.size(); k++) {
            if (middle(t) < work.get(k).afterMinute()) {
              continue;
            }
            Attempt attempt = attempt(t, g, k);
            double perMinute = attempt.success() / attempt.busyMinutes();
            time[unknown(t, g, k)] = 1;
            rows.get(k)[unknown(t, g, k)] = perMinute;
            objective[unknown(t, g, k)] = perMinute * left / work.get(k).count() / work.size();
          }
        }
      }
      double[] copy = objective.clone();
      double[] minutes = new Simplex(rows.toArray(double[][]::new), copy).solve();
      double done = 0;
      for (int i = 0; i < unknowns; i++) {
        done += minutes[i] * objective[i];
      }
      return new ShareBound(100 * done, 100 * efficiency(minutes));
    }

    /** Mean over time of the share of all minutes until then that was not lost. */
    private double efficiency(double[] minutes) {
      double worked = 0;
      double lost = 0;
      double sum = 0;
      for (int t = 0; t < SPANS; t++) {
        for (int g = 0; g < machines.size(); g++) {
          for (int k = 0; k < work.size(); k++) {
            Attempt attempt = attempt(t, g, k);
            int length = EndBound.length(machines.get(g), work.get(k));
            double begun = minutes[unknown(t, g, k)] / attempt.busyMinutes();
            worked += begun * attempt.minutes();
            lost += begun * attempt.lostMinutes(length);
          }
        }
        sum += (worked - lost) / Math.max(1, worked);
      }
      return sum / SPANS;
    }
  }
}
