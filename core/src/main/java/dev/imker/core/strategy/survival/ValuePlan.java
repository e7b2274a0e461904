package dev.imker.core.strategy.survival;

import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.StrategyMemory;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What a done task of each project is worth now, found with {@link FluidRun} for the open projects
 * (the largest, if there are many), and how likely good nodes are to finish one.
 */
final class ValuePlan {
  /** A node less likely to finish a task than this share of what good nodes are is kept off. */
  static final double KEEP_OFF = 0.44;

  private static final double GOOD_QUANTILE = 0.9;
  private static final double FLOOR_QUANTILE = 0.6;
  private static final double KEPT_OFF_WORTH = 1e-4;
  private static final int MAX_PROJECTS = 16;
  private static final int FIRST_ROUNDS = 4;
  private static final int ROUNDS = 2;

  private final FluidRun fluid;
  private final NodeGroups groups = new NodeGroups();
  private final Belief belief = new Belief();
  private double[] values = {};
  private double[] goodChance = {};
  private double[] floorChance = {};
  private double[] goodPace = {};
  private int known;

  ValuePlan(double endWeight) {
    fluid = new FluidRun(endWeight);
  }

  double value(ProjectProfile project) {
    return values[project.index()];
  }

  /** The chance that the best tenth of the nodes has, at its best moment, to finish a task. */
  double goodChance(ProjectProfile project) {
    return goodChance[project.index()];
  }

  /** The mean chance that all but the best 40 % of the nodes have at most. */
  double floorChance(ProjectProfile project) {
    return floorChance[project.index()];
  }

  /** Tasks per minute that the best tenth of the nodes do at their best moment; 0: not planned. */
  double goodPace(ProjectProfile project) {
    return goodPace[project.index()];
  }

  void rememberProject(ProjectProfile project, Map<String, double[]> memory) {
    reserve(project.index() + 1);
    int k = project.index();
    memory.put("plan", new double[] {values[k], goodChance[k], floorChance[k], goodPace[k]});
  }

  void recallProject(ProjectProfile project, StrategyMemory memory) {
    reserve(project.index() + 1);
    double[] kept = memory.values("plan");
    if (kept.length == 4) {
      int k = project.index();
      values[k] = kept[0];
      goodChance[k] = kept[1];
      floorChance[k] = kept[2];
      goodPace[k] = kept[3];
    }
  }

  /** How many projects there were when it was last made. */
  int known() {
    return known;
  }

  void known(int projects) {
    known = projects;
  }

  void make(
      long nowMillis, PoolProfile pool, Prospects prospects, ObservedRunTimes runTimes, Fits fits) {
    reserve(pool.projects());
    groups.form(pool, prospects, nowMillis);
    int[] planned = planned(pool, runTimes);
    fluid.begin(groups.count(), planned.length);
    double[] start = new double[planned.length];
    for (int p = 0; p < planned.length; p++) {
      ProjectProfile project = pool.project(planned[p]);
      describe(p, project, runTimes);
      fluid.fit(p, fits.share(project));
      double reference = runTimes.referenceMinutes(project);
      start[p] = values[planned[p]] > 0 ? values[planned[p]] : reference;
    }
    double[] improved = start.clone();
    boolean anew = known != pool.projects();
    fluid.improve(improved, anew ? FIRST_ROUNDS : ROUNDS);
    known = pool.projects();
    take(pool, runTimes, planned, start, improved, anew);
    fits.watch(planned);
  }

  /** Half way to the new values (in logarithms), so that a single plan does not swing the pool. */
  private void take(
      PoolProfile pool,
      ObservedRunTimes runTimes,
      int[] planned,
      double[] start,
      double[] improved,
      boolean anew) {
    double largest = 0;
    double perMinute = 0;
    for (int p = 0; p < planned.length; p++) {
      double value = anew ? improved[p] : Math.sqrt(start[p] * improved[p]);
      improved[p] = value;
      largest = Math.max(largest, value);
      perMinute += value / runTimes.referenceMinutes(pool.project(planned[p])) / planned.length;
    }
    for (int k = 0; k < pool.projects(); k++) {
      values[k] = perMinute * runTimes.referenceMinutes(pool.project(k)) * 100 / largest;
    }
    for (int p = 0; p < planned.length; p++) {
      values[planned[p]] = Math.max(improved[p] / largest, 1e-6) * 100;
    }
  }

  /** Open projects; where there are many, those with most work. */
  private static int[] planned(PoolProfile pool, ObservedRunTimes runTimes) {
    List<Integer> open =
        IntStream.range(0, pool.projects())
            .filter(k -> pool.project(k).open() > 0)
            .boxed()
            .sorted(
                Comparator.comparingDouble(
                    k -> -pool.project(k).open() * minutesOfCores(pool.project(k), runTimes)))
            .limit(MAX_PROJECTS)
            .toList();
    return open.stream().mapToInt(k -> k).sorted().toArray();
  }

  private static double minutesOfCores(ProjectProfile project, ObservedRunTimes runTimes) {
    return runTimes.referenceMinutes(project) * project.coresPerTask();
  }

  private void describe(int position, ProjectProfile project, ObservedRunTimes runTimes) {
    int count = groups.count();
    double[] best = new double[count];
    double[] pace = new double[count];
    double[] mean = new double[count];
    double[][] chances = new double[count][FluidRun.STAGES];
    for (int g = 0; g < count; g++) {
      double minutes = runTimes.typicalMinutes(groups.sample(g), project);
      Lengths lengths = runTimes.lengths(project);
      belief.set(groups.weights(g));
      fluid.group(g, groups.size(g));
      fluid.describe(g, position, belief, minutes, lengths);
      double weight = 0;
      double[] reached = groups.reached(g);
      for (int s = 0; s < FluidRun.STAGES; s++) {
        double uptime = FluidRun.uptimeMinutes(s);
        double chance = fluid.finished(g, position, s);
        double lived = (FluidRun.uptimeMinutes(s + 1) - uptime) * reached[s];
        chances[g][s] = chance;
        best[g] = Math.max(best[g], chance);
        pace[g] = Math.max(pace[g], fluid.pace(g, position, s));
        mean[g] += lived * chance;
        weight += lived;
      }
      mean[g] /= weight;
    }
    int k = project.index();
    goodChance[k] = quantile(best, GOOD_QUANTILE);
    floorChance[k] = quantile(mean, FLOOR_QUANTILE);
    goodPace[k] = Math.max(quantile(pace, GOOD_QUANTILE), 1e-9);
    // A task of many cores is as much work, and lost as much, as that many tasks of one.
    double open = project.open() * project.coresPerTask();
    double total = Math.max(1, project.total() * project.coresPerTask());
    fluid.project(position, open, total, 1 / goodPace[k]);
    for (int g = 0; g < count; g++) {
      for (int s = 0; s < FluidRun.STAGES; s++) {
        if (chances[g][s] < KEEP_OFF * goodChance[k]) {
          fluid.discourage(g, position, s, KEPT_OFF_WORTH * chances[g][s] / goodChance[k]);
        }
      }
    }
  }

  /** Quantile over all nodes of values per group. */
  private double quantile(double[] byGroup, double share) {
    Integer[] order = new Integer[byGroup.length];
    int nodes = 0;
    for (int g = 0; g < order.length; g++) {
      order[g] = g;
      nodes += groups.size(g);
    }
    Arrays.sort(order, Comparator.comparingDouble(g -> byGroup[g]));
    int below = 0;
    for (int g : order) {
      below += groups.size(g);
      if (below > share * (nodes - 1)) {
        return byGroup[g];
      }
    }
    return 0;
  }

  private void reserve(int projects) {
    if (values.length < projects) {
      values = Arrays.copyOf(values, projects + 8);
      goodChance = Arrays.copyOf(goodChance, projects + 8);
      floorChance = Arrays.copyOf(floorChance, projects + 8);
      goodPace = Arrays.copyOf(goodPace, projects + 8);
    }
  }
}
