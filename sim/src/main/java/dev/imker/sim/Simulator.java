package dev.imker.sim;

import dev.imker.core.strategy.Strategy;
import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.sim.config.SimConfig;
import dev.imker.sim.config.SimFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Runs a request: every file under every strategy with every seed. */
public final class Simulator {
  private Simulator() {}

  public static List<SimResult> run(SimRequest request) {
    request.strategies().forEach(Strategies::parse);
    List<SimResult> results = new ArrayList<>();
    for (SimConfig config : request.files().stream().map(SimFiles::read).toList()) {
      for (String strategy : request.strategies()) {
        results.add(run(config, strategy, request));
      }
    }
    return results;
  }

  private static SimResult run(SimConfig config, String strategy, SimRequest request) {
    int seeds = request.seeds() > 0 ? request.seeds() : config.seeds();
    return run(
        config,
        strategy,
        seeds,
        request.speculative(),
        request.untilMinutes(),
        request.plotFolder() != null);
  }

  /** Runs seeds 1 to {@code seeds}, as many at a time as there are processors. */
  public static SimResult run(
      SimConfig config,
      String strategy,
      int seeds,
      boolean speculative,
      int untilMinutes,
      boolean recordFirst) {
    List<SimRun> runs =
        IntStream.rangeClosed(1, seeds)
            .parallel()
            .mapToObj(
                seed ->
                    simulation(
                            config,
                            strategy,
                            speculative,
                            seed,
                            untilMinutes,
                            recordFirst && seed == 1)
                        .run(() -> {}))
            .toList();
    return new SimResult(config, strategy, runs);
  }

  /**
   * Runs one seed after another in this thread, and records the first.
   *
   * @param look called from time to time; an exception from it ends the work
   */
  public static SimResult runInTurn(
      SimConfig config, String strategy, int seeds, int untilMinutes, Runnable look) {
    List<SimRun> runs = new ArrayList<>();
    for (int seed = 1; seed <= seeds; seed++) {
      runs.add(simulation(config, strategy, false, seed, untilMinutes, seed == 1).run(look));
    }
    return new SimResult(config, strategy, runs);
  }

  /** Whether copies of running tasks are made, whatever the file and the strategy say. */
  public enum Copies {
    NEVER,
    ALWAYS
  }

  /** Runs seeds 1 to {@code seeds}, all with or all without copies; run i has seed i+1. */
  public static List<SimRun> runs(SimConfig config, String strategy, int seeds, Copies copies) {
    return IntStream.rangeClosed(1, seeds)
        .parallel()
        .mapToObj(
            seed ->
                new Simulation(
                        config,
                        Strategies.parse(strategy),
                        copies == Copies.ALWAYS,
                        seed,
                        SimRequest.DEFAULT_UNTIL_MINUTES,
                        false)
                    .run(() -> {}))
        .toList();
  }

  private static Simulation simulation(
      SimConfig config,
      String strategy,
      boolean speculative,
      int seed,
      int untilMinutes,
      boolean recording) {
    Strategy chosen = Strategies.parse(strategy);
    boolean copies = speculative || config.speculative() || chosen.speculates();
    return new Simulation(config, chosen, copies, seed, untilMinutes, recording);
  }
}
