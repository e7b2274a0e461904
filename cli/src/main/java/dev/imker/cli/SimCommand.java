package dev.imker.cli;

import dev.imker.sim.SimCommandLine;
import dev.imker.sim.SimRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker sim}: the production scheduler against a described pool. */
@Command(
    name = "sim",
    sortOptions = false,
    description = "Simulate pools with the production scheduler and compare strategies.")
final class SimCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Pools and work, as XML or YAML (docs/simulator.md).")
  List<Path> files = new ArrayList<>();

  @Option(
      names = "--strategy",
      paramLabel = "NAME[:KEY=VALUE,…]",
      description =
          "Strategy to try; may be repeated (default: balanced, combined-runtime, survival).")
  List<String> strategies = new ArrayList<>();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Runs with different random numbers (default: what the file says, or 10).")
  int seeds;

  @Option(
      names = "--until",
      paramLabel = "MINUTES",
      description = "Longest time simulated for the makespan (default: ${DEFAULT-VALUE}).")
  int untilMinutes = SimRequest.DEFAULT_UNTIL_MINUTES;

  @Option(names = "--redundant", description = "Deliver running tasks again when nothing is ready.")
  boolean redundant;

  @Option(names = "--json", description = "Print one JSON array.")
  boolean json;

  @Option(names = "--compare", description = "Print the comparison table (the default).")
  boolean compare;

  @Option(names = "--plot", paramLabel = "DIR", description = "Write plots (SVG) into DIR.")
  @Nullable Path plot;

  @Override
  public Integer call() {
    List<String> chosen = strategies.isEmpty() ? SimCommandLine.DEFAULT_STRATEGIES : strategies;
    SimCommandLine.run(
        new SimRequest(files, chosen, seeds, untilMinutes, redundant, plot), json, System.out);
    return ExitCodes.OK;
  }
}
