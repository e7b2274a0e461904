package dev.imker.bench;

import dev.imker.sim.SimRequest;
import dev.imker.sim.SimRun;
import dev.imker.sim.Simulator;
import dev.imker.sim.config.SimConfig;
import dev.imker.sim.config.SimFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What copies of running tasks do to the time until all is done: every strategy on every pool of
 * the examples, each seed once without and once with copies. Prints a table; a cell is the mean
 * change in percent and its standard error over the seeds, and of how many seeds the end was later;
 * these are listed below. Arguments: the root of the project (.), the number of seeds (5), names of
 * pools (all).
 */
public final class CopiesBench {
  private static final List<String> POOLS =
      List.of("constant-a.xml", "constant-b.xml", "ramp-a.xml", "ramp-b.xml", "ramp-c.xml");
  private final List<String> longer = new ArrayList<>();

  private CopiesBench() {}

  public static void main(String... args) {
    Path examples = Path.of(args.length > 0 ? args[0] : ".").resolve("examples/sim");
    int seeds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    List<String> pools = args.length > 2 ? List.of(args).subList(2, args.length) : POOLS;
    List<SimConfig> configs =
        pools.stream().map(name -> SimFiles.read(examples.resolve(name))).toList();
    System.out.println("| strategy | " + String.join(" | ", pools) + " |");
    System.out.println("|---" + "|---".repeat(pools.size()) + "|");
    CopiesBench bench = new CopiesBench();
    for (String strategy : TablesBench.STRATEGIES) {
      StringBuilder row = new StringBuilder("| " + strategy);
      configs.forEach(config -> row.append(" | ").append(bench.cell(config, strategy, seeds)));
      System.out.println(row + " |");
    }
    bench.longer.forEach(System.out::println);
  }

  private String cell(SimConfig config, String strategy, int seeds) {
    int[] without = ends(Simulator.runs(config, strategy, seeds, Simulator.Copies.NEVER));
    int[] with = ends(Simulator.runs(config, strategy, seeds, Simulator.Copies.ALWAYS));
    double sum = 0;
    double squares = 0;
    int later = 0;
    for (int i = 0; i < seeds; i++) {
      double change = 100.0 * with[i] / without[i] - 100;
      sum += change;
      squares += change * change;
      if (with[i] > without[i]) {
        later++;
        longer.add(
            "later with copies: %s, %s, seed %d: %d instead of %d min"
                .formatted(config.name(), strategy, i + 1, with[i], without[i]));
      }
    }
    double mean = sum / seeds;
    double variance = seeds < 2 ? 0 : Math.max(0, squares / seeds - mean * mean) / (seeds - 1);
    return String.format(
        Locale.ROOT, "%+.1f ± %.1f (%d/%d)", mean, Math.sqrt(variance), later, seeds);
  }

  private static int[] ends(List<SimRun> runs) {
    return runs.stream()
        .mapToInt(run -> run.isFinished() ? run.makespan() : SimRequest.DEFAULT_UNTIL_MINUTES)
        .toArray();
  }
}
