package dev.imker.bench;

import dev.imker.sim.PublishedFigures;
import dev.imker.sim.SimRequest;
import dev.imker.sim.SimResult;
import dev.imker.sim.Simulator;
import dev.imker.sim.Spread;
import dev.imker.sim.config.RandomPools;
import dev.imker.sim.config.SimConfig;
import java.util.Locale;

/**
 * survival on random pools, each figure against the best of all published strategies in that
 * figure. Arguments: first seed (1), last seed (20), runs per pool and strategy (2).
 */
public final class PoolsBench {
  private final int runs;
  private double efficiency;
  private double done;
  private double makespan;
  private int pools;

  private PoolsBench(int runs) {
    this.runs = runs;
  }

  public static void main(String... args) {
    int first = args.length > 0 ? Integer.parseInt(args[0]) : 1;
    int last = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    PoolsBench bench = new PoolsBench(args.length > 2 ? Integer.parseInt(args[2]) : 2);
    for (int seed = first; seed <= last; seed++) {
      bench.pool(RandomPools.pool(seed));
    }
    System.out.printf(
        Locale.ROOT,
        "mean of %d pools: efficiency %+.1f %%, done rate %+.1f %%, time until all is done %+.1f"
            + " %%%n",
        bench.pools,
        100 * bench.efficiency / bench.pools,
        100 * bench.done / bench.pools,
        100 * bench.makespan / bench.pools);
  }

  private void pool(SimConfig config) {
    double bestEfficiency = 0;
    double bestDone = 0;
    double bestEnd = SimRequest.DEFAULT_UNTIL_MINUTES;
    for (String strategy : PublishedFigures.STRATEGIES) {
      SimResult result = run(config, strategy);
      bestEfficiency = Math.max(bestEfficiency, result.avEff().mean());
      bestDone = Math.max(bestDone, result.avDone().mean());
      bestEnd = Math.min(bestEnd, end(result));
    }
    SimResult ours = run(config, "survival");
    double efficiencyGain = ours.avEff().mean() / bestEfficiency - 1;
    double doneGain = ours.avDone().mean() / bestDone - 1;
    double endGain = end(ours) / bestEnd - 1;
    pools++;
    efficiency += efficiencyGain;
    done += doneGain;
    makespan += endGain;
    System.out.printf(
        Locale.ROOT,
        "%s: %d nodes, %d tasks, %d projects: efficiency %.1f %% (%+.1f %%), done rate %.1f %%"
            + " (%+.1f %%), all done at %.0f min (%+.1f %%)%n",
        config.name(),
        config.nodes(),
        config.tasks(),
        config.projects().size(),
        ours.avEff().mean(),
        100 * efficiencyGain,
        ours.avDone().mean(),
        100 * doneGain,
        end(ours),
        100 * endGain);
  }

  private SimResult run(SimConfig config, String strategy) {
    return Simulator.run(config, strategy, runs, false, SimRequest.DEFAULT_UNTIL_MINUTES, false);
  }

  private static double end(SimResult result) {
    Spread end = result.makespan();
    return end == null ? SimRequest.DEFAULT_UNTIL_MINUTES : end.mean();
  }
}
