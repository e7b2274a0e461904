package dev.imker.bench;

import dev.imker.charts.Cancellation;
import dev.imker.charts.Progress;
import dev.imker.charts.market.Market;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.spec.MarketLoader;
import dev.imker.charts.strategy.StrategyRunner;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.LocalRun;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.ta4j.core.BarSeries;
import org.ta4j.core.BaseBarSeriesBuilder;
import org.ta4j.core.BaseStrategy;
import org.ta4j.core.TradingRecord;
import org.ta4j.core.backtest.BarSeriesManager;
import org.ta4j.core.indicators.averages.EMAIndicator;
import org.ta4j.core.indicators.averages.SMAIndicator;
import org.ta4j.core.indicators.helpers.ClosePriceIndicator;
import org.ta4j.core.num.DecimalNumFactory;
import org.ta4j.core.num.DoubleNumFactory;
import org.ta4j.core.num.NumFactory;
import org.ta4j.core.rules.CrossedDownIndicatorRule;
import org.ta4j.core.rules.CrossedUpIndicatorRule;
import org.ta4j.core.rules.StopLossRule;

/**
 * Optimises 10,000 combinations on 20 markets of 15 years of daily candles, and measures in the
 * same run, on the same cores, how long ta4j takes per combination on a sample of them.
 */
public final class ChartsBench {
  private static final String YAML =
      """
      kind: optimise
      name: Charts bench
      data: {synthetic: {markets: 20, years: 15, seed: 3, model: mixed}}
      parameters:
        fast: {from: 5, to: 54, step: 1}
        slow: {from: 60, to: 155, step: 5}
        loss: {from: 2, to: 11, step: 1}
      strategy:
        indicators: {quick: {ema: $fast}, calm: {sma: $slow}}
        enter: {crossed-up: [quick, calm]}
        exit: [{crossed-down: [quick, calm]}, {stop-loss: $loss}]
        warm-up: 0
      optimise: {objective: sharpe}
      """;
  private static final int DOUBLE_SAMPLE = 400;
  private static final int DECIMAL_SAMPLE = 24;

  private final PrintStream out;
  private final int threads = Runtime.getRuntime().availableProcessors();
  private final Analysis analysis = AnalysisReader.parse("bench.yaml", YAML);
  private final List<Market> markets = MarketLoader.local(Path.of(".")).load(analysis.data());

  private ChartsBench(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] arguments) throws InterruptedException, ExecutionException {
    run(System.out);
  }

  /** Runs the comparison and prints it as Markdown. */
  public static void run(PrintStream out) throws InterruptedException, ExecutionException {
    new ChartsBench(out).compare();
  }

  private void compare() throws InterruptedException, ExecutionException {
    long combinations = analysis.space().size();
    long runs = combinations * markets.size();
    optimise();
    double ours = optimise();
    sample(DoubleNumFactory.getInstance(), DOUBLE_SAMPLE / 4);
    double doubles = sample(DoubleNumFactory.getInstance(), DOUBLE_SAMPLE) * runs / DOUBLE_SAMPLE;
    double decimals =
        sample(DecimalNumFactory.getInstance(), DECIMAL_SAMPLE) * runs / DECIMAL_SAMPLE;
    out.printf(
        Locale.ROOT,
        "## Chart optimisation: %,d combinations × %d markets × %,d daily candles, %d cores%n%n",
        combinations,
        markets.size(),
        markets.getFirst().bars(),
        threads);
    out.println("| engine | seconds for all | µs per backtest | times slower |");
    out.println("|---|---:|---:|---:|");
    row("Imker, measured in full", ours, runs, ours);
    row("ta4j, double numbers, sample of " + DOUBLE_SAMPLE + " scaled", doubles, runs, ours);
    row(
        "ta4j, decimal numbers (its default), sample of " + DECIMAL_SAMPLE + " scaled",
        decimals,
        runs,
        ours);
    out.printf(
        Locale.ROOT,
        "%nImker includes planning, figures, ranking and the detailed final run; ta4j only the"
            + " indicators, rules and trades. The sampled ta4j runs made the same number of"
            + " trades.%n");
  }

  private void row(String engine, double seconds, long runs, double ours) {
    out.printf(
        Locale.ROOT,
        "| %s | %,.2f | %,.1f | %,.1f |%n",
        engine,
        seconds,
        seconds * 1e6 * threads / runs,
        seconds / ours);
  }

  private double optimise() {
    long start = System.nanoTime();
    AnalysisResult result =
        new LocalRun(analysis, markets, threads, Progress.SILENT, Cancellation.NEVER).run();
    double seconds = (System.nanoTime() - start) / 1e9;
    if (!result.complete() || result.perMarket().size() != markets.size()) {
      throw new IllegalStateException("the optimisation did not end");
    }
    return seconds;
  }

  /** Wall-clock seconds for a number of ta4j runs, spread evenly over the combinations. */
  private double sample(NumFactory numbers, int count)
      throws InterruptedException, ExecutionException {
    List<BarSeries> series = markets.stream().map(m -> bars(m, numbers)).toList();
    long stride = analysis.space().size() / count;
    int[] trades = new int[count];
    double seconds;
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      long start = System.nanoTime();
      List<Future<?>> futures =
          IntStream.range(0, count)
              .<Future<?>>mapToObj(
                  i ->
                      executor.submit(
                          () -> {
                            trades[i] = ta4j(series.get(i % series.size()), i * stride);
                          }))
              .toList();
      for (Future<?> future : futures) {
        future.get();
      }
      seconds = (System.nanoTime() - start) / 1e9;
    }
    for (int i = 0; i < count; i++) {
      checkTrades(markets.get(i % markets.size()), i * stride, trades[i]);
    }
    return seconds;
  }

  private int ta4j(BarSeries series, long combination) {
    double[] values = analysis.space().values(combination);
    ClosePriceIndicator close = new ClosePriceIndicator(series);
    EMAIndicator quick = new EMAIndicator(close, (int) values[0]);
    SMAIndicator calm = new SMAIndicator(close, (int) values[1]);
    BaseStrategy strategy =
        new BaseStrategy(
            new CrossedUpIndicatorRule(quick, calm),
            new CrossedDownIndicatorRule(quick, calm).or(new StopLossRule(close, values[2])));
    TradingRecord record = new BarSeriesManager(series).run(strategy);
    return record.getPositionCount();
  }

  private void checkTrades(Market market, long combination, int trades) {
    double ours =
        new StrategyRunner(market)
            .run(
                analysis.strategy(),
                analysis.space().values(combination),
                StrategyRunner.Span.all(market),
                false)
            .figure(Figure.TRADES);
    if (ours != trades) {
      throw new IllegalStateException(
          "combination %d on %s: %s trades here, %d with ta4j"
              .formatted(combination, market.name(), ours, trades));
    }
  }

  private static BarSeries bars(Market market, NumFactory numbers) {
    BarSeries series = new BaseBarSeriesBuilder().withNumFactory(numbers).build();
    Duration day = Duration.ofDays(1);
    for (int i = 0; i < market.bars(); i++) {
      series
          .barBuilder()
          .timePeriod(day)
          .endTime(Instant.ofEpochSecond((market.epochDays()[i] + 1) * 86_400L))
          .openPrice(market.open()[i])
          .highPrice(market.high()[i])
          .lowPrice(market.low()[i])
          .closePrice(market.close()[i])
          .volume(market.volume()[i])
          .add();
    }
    return series;
  }
}
