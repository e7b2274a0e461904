package dev.imker.cli.simulation;

import dev.imker.cli.options.ServerOptions;
import dev.imker.cli.options.TimeSpan;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.model.ImkerException;
import dev.imker.sim.SimRequest;
import dev.imker.sim.report.SimCommandLine;
import dev.imker.sim.twin.PoolHistory;
import dev.imker.sim.twin.TwinCommandLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker sim}: the production scheduler against a described pool. */
@Command(
    name = "sim",
    sortOptions = false,
    description = "Simulate pools with the production scheduler and compare strategies.")
public final class SimCommand implements Callable<Integer> {
  private static final int DEFAULT = 0;
  private static final int MAX_SEEDS = 10_000;
  private static final int MAX_DAYS = 180;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "Pools and work, as XML or YAML (docs/simulator.md); if machines and tasks"
              + " declare amounts (cores, memory, gpus, resources), the use of each is"
              + " reported.")
  List<Path> files = new ArrayList<>();

  @Option(
      names = "--from-history",
      paramLabel = "DIR|server",
      description =
          "Replay the recorded history of a pool and recommend a strategy: a pool's"
              + " data folder, or 'server' for the running pool.")
  @Nullable String history;

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "How much of the history to replay (default: ${DEFAULT-VALUE}).")
  int days = 28;

  @Mixin ServerOptions server = new ServerOptions();

  @Option(
      names = "--strategy",
      paramLabel = "NAME[:KEY=VALUE,…]",
      description = "Strategy to try; repeatable (default: balanced, combined-runtime, survival).")
  List<String> strategies = new ArrayList<>();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Number of runs with different random seeds (default: as in the file, or 10).")
  @Nullable Integer seeds;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description =
          "Longest time to simulate: 14d, or a number of minutes (default: 20000; with"
              + " --from-history ten times the recorded time).")
  @Nullable String until;

  private int untilMinutes = DEFAULT;

  @Option(
      names = "--speculative",
      description = "Start speculative copies of running tasks when nothing is ready.")
  boolean speculative;

  @Option(names = "--json", description = "Print one JSON array.")
  boolean json;

  @Option(names = "--plot", paramLabel = "DIR", description = "Write plots (SVG) into DIR.")
  @Nullable Path plot;

  @Override
  public Integer call() {
    checkNumbers();
    List<String> chosen = strategies.isEmpty() ? SimCommandLine.DEFAULT_STRATEGIES : strategies;
    if (history != null) {
      replay(history, chosen);
      return ExitCodes.OK;
    }
    if (files.isEmpty()) {
      throw new ImkerException(
          "Name a file that describes a pool (see examples/sim), or replay your own"
              + " with --from-history server.");
    }
    int limit = untilMinutes > 0 ? untilMinutes : SimRequest.DEFAULT_UNTIL_MINUTES;
    SimCommandLine.run(
        new SimRequest(files, chosen, seedsOrDefault(), limit, speculative, plot),
        json,
        System.out);
    return ExitCodes.OK;
  }

  private int seedsOrDefault() {
    return seeds == null ? DEFAULT : seeds;
  }

  private void checkNumbers() {
    if (seeds != null && (seeds < 1 || seeds > MAX_SEEDS)) {
      throw new ImkerException("--seeds must be from 1 to " + MAX_SEEDS + ", not " + seeds + ".");
    }
    if (until != null) {
      untilMinutes = (int) (TimeSpan.millis("--until", until, "m") / 60_000);
    }
    if (until != null && untilMinutes < 1) {
      throw new ImkerException("--until must be at least 1 minute, not " + until + ".");
    }
    if (days < 1 || days > MAX_DAYS) {
      throw new ImkerException("--days must be from 1 to " + MAX_DAYS + ", not " + days + ".");
    }
  }

  private void replay(String where, List<String> chosen) {
    if (!files.isEmpty()) {
      throw new ImkerException(
          "--from-history replays a recorded pool and cannot be combined with a file ("
              + files.getFirst()
              + ").");
    }
    PoolHistory recorded =
        where.equals("server")
            ? RecordedPool.ofServer(server, days)
            : RecordedPool.ofFolder(Path.of(where), days);
    TwinCommandLine.run(
        recorded,
        new TwinCommandLine.Request(chosen, seedsOrDefault(), untilMinutes, speculative, plot),
        json,
        System.out);
  }
}
