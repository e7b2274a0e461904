package dev.imker.charts.command;

import dev.imker.charts.Cancellation;
import dev.imker.charts.ChartException;
import dev.imker.charts.NearestName;
import dev.imker.charts.Progress;
import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.luck.Luck;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketCsvWriter;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.report.IndicatorFiles;
import dev.imker.charts.report.ReportWriter;
import dev.imker.charts.series.IndicatorCatalogue;
import dev.imker.charts.series.Signature;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.spec.MarketLoader;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.AnalysisResult.Choice;
import dev.imker.charts.study.ChartJson;
import dev.imker.charts.study.LocalRun;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What the command line offers for charts; a wrapper only has to hand over its arguments. */
public final class ChartCommands {
  private ChartCommands() {}

  /**
   * Runs the analysis of a file on this machine and writes its report.
   *
   * @param threads how many cores to use
   * @param json whether to print the result as JSON instead of a summary
   * @param progress is told how far it is; {@link Progress#finished} before anything is printed
   * @return the result; not complete if it was cancelled
   * @throws ChartException if the file or the data are wrong; the message is for the user
   */
  public static AnalysisResult run(
      Path yaml,
      Path outDir,
      int threads,
      boolean json,
      PrintStream out,
      Progress progress,
      Cancellation cancellation) {
    Analysis analysis = AnalysisReader.read(yaml);
    Path base = Objects.requireNonNullElse(yaml.toAbsolutePath().getParent(), Path.of("."));
    List<Market> markets = MarketLoader.local(base).load(analysis.data());
    JavaIndicators java = libraries(analysis, base);
    AnalysisResult result = run(analysis, markets, java, threads, progress, cancellation);
    List<Path> files =
        ReportWriter.write(
            result,
            analysis.traded(markets),
            IndicatorFiles.of(analysis, result, markets, java),
            analysis.outputs(),
            outDir);
    if (json) {
      out.println(ChartJson.write(result));
    } else {
      summary(result, out);
      out.printf(
          "%d %s written to %s%n", files.size(), files.size() == 1 ? "file" : "files", outDir);
    }
    return result;
  }

  private static AnalysisResult run(
      Analysis analysis,
      List<Market> markets,
      JavaIndicators java,
      int threads,
      Progress progress,
      Cancellation cancellation) {
    try {
      return new LocalRun(analysis, markets, java, threads, progress, cancellation).run();
    } finally {
      progress.finished();
    }
  }

  private static JavaIndicators libraries(Analysis analysis, Path base) {
    return JavaIndicators.of(analysis.libraries().stream().map(base::resolve).toList());
  }

  /** Reads a file and its data and reports what they are, without running anything. */
  public static void check(Path yaml, PrintStream out) {
    Analysis analysis = AnalysisReader.read(yaml);
    Path base = Objects.requireNonNullElse(yaml.toAbsolutePath().getParent(), Path.of("."));
    List<Market> markets = MarketLoader.local(base).load(analysis.data());
    analysis.check(libraries(analysis, base));
    var _ = analysis.traded(markets);
    out.printf("%s: %s%n", analysis.name(), analysis.kind().label());
    markets.forEach(
        m ->
            out.printf(
                "  %s: %d candles, %s to %s%n",
                m.name(), m.bars(), m.when(0), m.when(m.bars() - 1)));
    analysis
        .space()
        .parameters()
        .forEach(p -> out.printf("  %s: %d values%n", p.name(), p.values().length));
    if (analysis.kind() != Analysis.Kind.BACKTEST) {
      out.printf("  %,d combinations%n", analysis.search().combinations(analysis.space()).length);
    }
  }

  /**
   * Writes synthetic markets as CSV files, always the same for the same arguments.
   *
   * @param model one of {@link MarketModel#labels()}
   */
  public static List<Path> generateData(
      Path folder, int markets, int years, long seed, String model, PrintStream out) {
    int place = MarketModel.labels().indexOf(model);
    if (place < 0) {
      throw new ChartException(
          "Unknown model '" + model + "'." + NearestName.hint(model, MarketModel.labels()));
    }
    String objection = SyntheticMarkets.objection(markets, years);
    if (!objection.isEmpty()) {
      throw new ChartException("Cannot make these markets: " + objection);
    }
    List<Path> files =
        SyntheticMarkets.generate(markets, years, seed, MarketModel.values()[place]).stream()
            .map(market -> MarketCsvWriter.write(market, folder))
            .toList();
    out.printf("%d markets of %d years written to %s%n", markets, years, folder);
    return files;
  }

  /** Lists every indicator with what it takes. */
  public static void indicators(PrintStream out) {
    for (IndicatorCatalogue.Entry entry : IndicatorCatalogue.instance().entries()) {
      if (!entry.looksAhead()) {
        List<String> usages =
            entry.signatures().stream().map(Signature::usage).distinct().sorted().toList();
        out.printf("%s: %s%n", entry.name(), String.join(" or ", usages));
      }
    }
  }

  /** Prints what matters most of a result. */
  public static void summary(AnalysisResult result, PrintStream out) {
    out.printf("%s (%s)%n", result.name(), result.kind());
    Choice best = result.best();
    if (best != null) {
      out.printf(Locale.ROOT, "best by %s: %.4f%n", result.objective(), best.worth());
      best.parameters()
          .forEach((name, value) -> out.printf(Locale.ROOT, "  %s = %s%n", name, value));
      if (best.robustness() != null) {
        out.printf(
            Locale.ROOT,
            "  robustness: %d neighbours, mean %.4f, worst %.4f%n",
            best.robustness().neighbours(),
            best.robustness().mean(),
            best.robustness().worst());
      }
    }
    if (!result.perMarket().isEmpty()) {
      out.printf(
          "%-16s %10s %10s %10s %8s %8s%n",
          "market", "return %", "CAGR %", "draw-d. %", "Sharpe", "trades");
    }
    for (AnalysisResult.MarketRun run : result.perMarket()) {
      out.printf(
          Locale.ROOT,
          "%-16s %10.1f %10.1f %10.1f %8.2f %8.0f%n",
          run.market(),
          100 * figure(run, "total-return"),
          100 * figure(run, "cagr"),
          100 * figure(run, "max-drawdown"),
          figure(run, "sharpe"),
          figure(run, "trades"));
    }
    luck(result.luck(), out);
    result.warnings().forEach(warning -> out.println("note: " + warning));
  }

  private static void luck(Luck luck, PrintStream out) {
    if (luck.tradeDraws() != null) {
      out.printf(
          Locale.ROOT,
          "luck: with the trades drawn anew the return is %.1f to %.1f %% in nine cases of ten%n",
          100 * luck.tradeDraws().totalReturn().low(),
          100 * luck.tradeDraws().totalReturn().high());
    }
    if (luck.permutations() != null) {
      out.printf(
          Locale.ROOT,
          "luck: %d of %d shuffled markets are worth as much (p = %.3f)%n",
          luck.permutations().asGood(),
          luck.permutations().count(),
          luck.permutations().pValue());
    }
    if (luck.deflatedSharpe() != null) {
      out.printf(
          Locale.ROOT,
          "luck: Sharpe %.2f; the best of %d worthless ones would have %.2f (probability of more"
              + " than chance: %.0f %%)%n",
          luck.deflatedSharpe().sharpe(),
          luck.deflatedSharpe().trials(),
          luck.deflatedSharpe().expectedByChance(),
          100 * luck.deflatedSharpe().probability());
    }
    if (luck.overfitting() != null) {
      out.printf(
          Locale.ROOT,
          "luck: probability of overfitting %.0f %%%n",
          100 * luck.overfitting().probability());
    }
  }

  private static double figure(AnalysisResult.MarketRun run, String name) {
    return run.figures().getOrDefault(name, Double.NaN);
  }
}
