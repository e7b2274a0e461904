package dev.imker.sim.twin;

import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.sim.SimResult;
import dev.imker.sim.Simulator;
import dev.imker.sim.config.SimConfig;
import dev.imker.sim.report.SimCommandLine;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes {@code imker sim --from-history} after the history was read. */
public final class TwinCommandLine {
  private static final int PATIENCE = 10;
  private static final double MILLIS_PER_MINUTE = 60_000;

  private TwinCommandLine() {}

  /**
   * What to simulate for a history.
   *
   * @param strategies in addition to the current one
   * @param seeds 0: the usual number
   * @param untilMinutes when an unfinished run is given up; 0: ten times the record
   * @param plotFolder where to write plots; null: none
   */
  public record Request(
      List<String> strategies,
      int seeds,
      int untilMinutes,
      boolean speculative,
      @Nullable Path plotFolder) {
    public Request {
      strategies = List.copyOf(strategies);
    }
  }

  /**
   * Replays the history, prints a table and a recommendation, or one JSON array.
   *
   * @throws dev.imker.model.ImkerException with a message for the user
   */
  public static void run(PoolHistory history, Request request, boolean json, PrintStream out) {
    List<String> strategies = new ArrayList<>(request.strategies());
    strategies.forEach(Strategies::parse);
    if (!strategies.contains(history.strategy())) {
      strategies.addFirst(history.strategy());
    }
    SimConfig config = Twin.of(history);
    int seeds = request.seeds() > 0 ? request.seeds() : config.seeds();
    List<SimResult> results = new ArrayList<>();
    for (String strategy : strategies) {
      results.add(
          Simulator.run(
              config,
              strategy,
              seeds,
              request.speculative(),
              until(config, request.untilMinutes()),
              request.plotFolder() != null));
    }
    SimCommandLine.show(results, request.plotFolder(), json, out);
    if (!json) {
      TwinAdvice advice = TwinAdvice.of(results, history.strategy());
      out.println(advice == null ? "Not every run finished: nothing to recommend." : advice.text());
      out.flush();
    }
  }

  private static int until(SimConfig config, int minutes) {
    double steps =
        minutes > 0
            ? minutes * MILLIS_PER_MINUTE / config.stepMillis()
            : (double) PATIENCE * config.minutes();
    return (int) Math.clamp(steps, 1, Integer.MAX_VALUE / 2.0);
  }
}
