package dev.imker.bench.packing;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * How well tasks of mixed sizes are packed while the queue is full: first in, first out without
 * backfill; the pool's scheduler; and the bound, which keeps the scarcest resource busy all the
 * time.
 */
public record PackingBench(PrintStream out) {
  private static final String DEFAULT_STRATEGY = "survival";
  private static final int SEEDS = 10;

  public static void run(String... args) {
    PackingBench bench = new PackingBench(System.out);
    String strategy = args.length > 0 ? args[0] : DEFAULT_STRATEGY;
    for (int number = 0; number < MixedPool.made(0).size(); number++) {
      List<MixedPool> drawn = new ArrayList<>();
      for (int seed = 0; seed < SEEDS; seed++) {
        drawn.add(MixedPool.made(seed).get(number));
      }
      bench.compare(drawn, strategy);
    }
  }

  /**
   * @param drawn the same pool with other run times and in another order
   */
  private void compare(List<MixedPool> drawn, String strategy) {
    MixedPool pool = drawn.getFirst();
    String largest = pool.projects().get(pool.largest()).name();
    out.printf(
        Locale.ROOT,
        "%n%s; means of %d draws, scarcest: %s, bound %,.0f s%n%-20s %14s %18s %8s %8s %8s %20s%n",
        pool.name(),
        drawn.size(),
        Amounts.NAMES[pool.bottleneck()],
        mean(drawn, one -> one.areaSeconds(one.bottleneck())),
        "",
        "queue full [s]",
        "of bound (least)",
        "cores",
        "memory",
        "gpus",
        "'" + largest + "' waits [s]");
    line("first in, first out", drawn, FirstInFirstOut::new);
    line(strategy, drawn, one -> new Scheduled(one, strategy));
  }

  private void line(String name, List<MixedPool> drawn, Function<MixedPool, PackingRun> how) {
    List<PackingRun> runs = drawn.stream().map(pool -> how.apply(pool).run()).toList();
    ToDoubleFunction<PackingRun> ofBound = run -> 100 * run.utilisation(run.pool.bottleneck());
    out.printf(
        Locale.ROOT,
        "%-20s %,14.0f %7.1f %% (%.1f %%) %6.1f %% %6.1f %% %6.1f %% %,20.0f%n",
        name,
        mean(runs, run -> run.nowMillis / 1000.0),
        mean(runs, ofBound),
        runs.stream().mapToDouble(ofBound).min().orElse(0),
        mean(runs, run -> 100 * run.utilisation(0)),
        mean(runs, run -> 100 * run.utilisation(1)),
        mean(runs, run -> 100 * run.utilisation(2)),
        mean(runs, run -> run.meanWaitSeconds(run.pool.largest())));
  }

  private static <T> double mean(List<T> all, ToDoubleFunction<T> figure) {
    return all.stream().mapToDouble(figure).average().orElse(0);
  }
}
