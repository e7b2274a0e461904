package dev.imker.cli.charts;

import dev.imker.charts.command.ChartCommands;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.cli.data.DataSetCommand;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.InterruptibleRun;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker chart}: back-tests, optimisations and walk-forward analyses on this machine. */
@Command(
    name = "chart",
    description = "Analyse charts on this machine: backtest, optimise, walk-forward.",
    subcommands = {
      ChartCommand.Run.class,
      ChartCommand.Check.class,
      ChartCommand.Indicators.class,
      ChartMerge.class,
      ChartCommand.Data.class
    })
public final class ChartCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    command.commandLine().usage(command.commandLine().getOut());
  }

  @Command(
      name = "run",
      description = {
        "Run the analysis described in a YAML file and write its reports.",
        "Ctrl-C stops it early; the report then covers what was computed so far."
      })
  static final class Run implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "Analysis (docs/charts.md).")
    Path file = Path.of("");

    @Option(
        names = "--out",
        paramLabel = "DIR",
        description = "Folder for the reports (default: results/ followed by the file's name).")
    @Nullable Path out;

    @Option(
        names = "--threads",
        paramLabel = "N",
        description = "Threads (default: the number of cores).")
    int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--json", description = "Print the result as JSON.")
    boolean json;

    @Spec @Nullable CommandSpec spec;

    @Override
    public Integer call() {
      if (threads < 1) {
        throw new ParameterException(
            Objects.requireNonNull(spec).commandLine(), "--threads must be at least 1.");
      }
      String name = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
      Path folder = out == null ? Path.of("results", name) : out;
      ChartProgress progress = ChartProgress.onTerminal();
      AnalysisResult result =
          new InterruptibleRun()
              .run(
                  cancellation ->
                      ChartCommands.run(
                          file, folder, threads, json, System.out, progress, cancellation));
      if (!result.complete()) {
        System.err.println(
            "imker: stopped early; the report in "
                + folder
                + " covers what was computed until then.");
        return ExitCodes.FAILED;
      }
      return ExitCodes.OK;
    }
  }

  @Command(name = "check", description = "Check an analysis and show what it would compute.")
  static final class Check implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "Analysis (docs/charts.md).")
    Path file = Path.of("");

    @Override
    public Integer call() {
      ChartCommands.check(file, System.out);
      return ExitCodes.OK;
    }
  }

  @Command(name = "indicators", description = "List all indicators with their parameters.")
  static final class Indicators implements Callable<Integer> {
    @Override
    public Integer call() {
      ChartCommands.indicators(System.out);
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "data",
      description = "Market data.",
      subcommands = {
        ChartCommand.Generate.class,
        DataSetCommand.Put.class,
        DataSetCommand.Listing.class,
        DataSetCommand.Remove.class
      })
  static final class Data implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Override
    public void run() {
      CommandSpec command = Objects.requireNonNull(spec);
      command.commandLine().usage(command.commandLine().getOut());
    }
  }

  @Command(name = "gen", description = "Write reproducible synthetic market data as CSV.")
  static final class Generate implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "Folder for the files.")
    Path folder = Path.of("");

    @Option(
        names = "--markets",
        paramLabel = "N",
        description = "How many (default: ${DEFAULT-VALUE}).")
    int markets = 5;

    @Option(
        names = "--years",
        paramLabel = "N",
        description = "Years of daily candles (default: ${DEFAULT-VALUE}).")
    int years = 15;

    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "Same seed, same data (default: ${DEFAULT-VALUE}).")
    long seed = 1;

    @Option(
        names = "--model",
        paramLabel = "NAME",
        description = "Price model; an unknown name lists them all (default: ${DEFAULT-VALUE}).")
    String model = "mixed";

    @Override
    public Integer call() {
      ChartCommands.generateData(folder, markets, years, seed, model, System.out);
      return ExitCodes.OK;
    }
  }
}
