package dev.imker.charts.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.charts.ChartException;
import dev.imker.charts.kernel.SeriesCache;
import dev.imker.charts.kernel.Surroundings;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SampleMarkets;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.series.Seeding;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.strategy.StrategyRunner;
import dev.imker.charts.strategy.StrategyRunner.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Indicators that users write in Java. */
class JavaIndicatorsTest {
  private static final String MEAN =
      """
      @Indicator(name = "mean", parameters = {"of", "bars"})
      public static double[] mean(Candles candles, double[] of, int bars) {
        double[] result = new double[candles.bars()];
        for (int i = 0; i < result.length; i++) {
          double sum = 0;
          for (int k = i - bars + 1; k <= i && i >= bars - 1; k++) {
            sum += of[k];
          }
          result[i] = i < bars - 1 ? Double.NaN : sum / bars;
        }
        return result;
      }
      """;

  @TempDir Path folder;

  private static Analysis analysis(String indicators, String rules) {
    return AnalysisReader.parse(
        "a.yaml",
        "kind: backtest\ndata: {synthetic: {markets: 1}}\nlibraries: [mine.jar]\nstrategy:\n"
            + ("indicators:\n" + indicators.indent(2) + rules).indent(2));
  }

  private RunResult run(Market market, Analysis analysis, String methods) throws IOException {
    JavaIndicators java = JavaIndicators.of(List.of(Libraries.of(folder, methods)));
    analysis.check(java);
    return new StrategyRunner(
            market,
            new Surroundings(
                name -> {
                  throw new AssertionError(name);
                },
                java))
        .run(analysis.strategy(), new double[0], Span.all(market), true);
  }

  private static final String CROSSING =
      "enter: {crossed-up: [close, m]}\nexit: {crossed-down: [close, m]}\n";

  /** The mean of the catalogue is the second implementation. */
  @Test
  void an_indicator_in_java_is_as_good_as_one_of_the_catalogue() throws IOException {
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    RunResult ours =
        run(market, analysis("m: {java: {name: mean, of: close, bars: 20}}", CROSSING), MEAN);
    RunResult theirs = run(market, analysis("m: {sma: 20}", CROSSING), MEAN);
    assertThat(ours.trades()).hasSizeGreaterThan(20);
    assertThat(ours.trades())
        .extracting(trade -> trade.entryBar() + "-" + trade.exitBar())
        .isEqualTo(theirs.trades().stream().map(t -> t.entryBar() + "-" + t.exitBar()).toList());
  }

  @Test
  void truths_are_rules() throws IOException {
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    String every =
        """
        @Indicator(name = "tenth")
        public static boolean[] tenth(Candles candles) {
          boolean[] result = new boolean[candles.bars()];
          for (int i = 0; i < result.length; i += 10) {
            result[i] = true;
          }
          return result;
        }
        """;
    RunResult result =
        run(market, analysis("x: {sma: 2}", "enter: {java: tenth}\nexit: {bars-held: 3}\n"), every);
    assertThat(result.trades()).hasSizeGreaterThan(50);
    assertThat(result.trades()).allMatch(trade -> trade.entryBar() % 10 == 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "r[i] = c.close()[Math.min(i + 1, r.length - 1)]|looks into the future",
        "r[i] = c.close()[i] - c.close()[r.length - 1]|looks into the future",
        "r[i] = i >= r.length - 2 ? Double.NaN : 1|looks into the future",
        "r[i] = 1 / (i - i)|ArithmeticException: / by zero",
        "Class.forName(\"dev.imker.charts.market.Market\")|ClassNotFoundException"
      })
  void what_cannot_be_trusted_is_refused(String line, String message) {
    String method =
        """
        @Indicator(name = "m")
        public static double[] m(Candles c) throws Exception {
          double[] r = new double[c.bars()];
          for (int i = 0; i < r.length; i++) {
            %s;
          }
          return r;
        }
        """
            .formatted(line);
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    assertThatThrownBy(() -> run(market, analysis("m: {java: m}", CROSSING), method))
        .isInstanceOf(ChartException.class)
        .hasMessageContaining("'m'")
        .hasMessageContaining(message);
  }

  /** What an indicator does to its candles must not reach others. */
  @Test
  void candles_are_the_indicators_own() throws IOException {
    String spoiling =
        """
        @Indicator(name = "m")
        public static double[] m(Candles c) {
          double[] r = c.close().clone();
          java.util.Arrays.fill(c.close(), 0);
          return r;
        }
        """;
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    double[] before = market.close().clone();
    JavaIndicators java = JavaIndicators.of(List.of(Libraries.of(folder, spoiling)));
    assertThat(java.values("m", market, Map.of())).isEqualTo(before);
    assertThat(market.close()).isEqualTo(before);
  }

  @Test
  void a_library_without_what_is_wanted_is_refused_before_anything_runs() throws IOException {
    JavaIndicators java = JavaIndicators.of(List.of(Libraries.of(folder, MEAN)));
    assertThatThrownBy(() -> analysis("m: {java: maen}", CROSSING).check(java))
        .hasMessageContaining("Did you mean 'mean'?");
    assertThatThrownBy(
            () -> analysis("m: {java: {name: mean, of: close, bras: 3}}", CROSSING).check(java))
        .hasMessageContaining("no parameter 'bras'. Did you mean 'bars'?");
    assertThatThrownBy(() -> analysis("m: {java: {name: mean, of: close}}", CROSSING).check(java))
        .hasMessageContaining("needs a value for 'bars'");
    assertThatThrownBy(() -> JavaIndicators.of(List.of(folder.resolve("other.jar"))))
        .hasMessageContaining("There is no library");
    Path text = Files.writeString(folder.resolve("text.jar"), "no library");
    assertThatThrownBy(() -> JavaIndicators.of(List.of(text)))
        .hasMessageContaining("text.jar is no Java library");
  }

  @Test
  void what_is_declared_wrongly_is_told_by_its_place() {
    String wrong = "@Indicator(name = \"m\") public static int m(Candles c) { return 1; }";
    assertThatThrownBy(() -> JavaIndicators.of(List.of(Libraries.of(folder, wrong))))
        .hasMessageContaining("Mine.m in mine.jar")
        .hasMessageContaining("public static double[]");
    String unnamed =
        "@Indicator(name = \"m\") public static double[] m(Candles c, int n) { return null; }";
    assertThatThrownBy(() -> JavaIndicators.of(List.of(Libraries.of(folder, unnamed))))
        .hasMessageContaining(
            "takes 1 values behind the candles, and @Indicator(parameters) names 0");
  }

  @Test
  void whole_numbers_are_taken_as_such() throws IOException {
    JavaIndicators java = JavaIndicators.of(List.of(Libraries.of(folder, MEAN)));
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    assertThatThrownBy(() -> java.values("mean", market, Map.of("of", market.close(), "bars", 2.5)))
        .hasMessageContaining("a whole number for 'bars', not 2.5");
    Surroundings surroundings =
        new Surroundings(
            name -> {
              throw new AssertionError(name);
            },
            java);
    var indicators =
        analysis("r: {rsi: 14}\nm: {java: {name: mean, of: r, bars: 5}}", CROSSING)
            .strategy()
            .sources()
            .indicators();
    SeriesCache cache = new SeriesCache(market, Seeding.SMA, surroundings);
    assertThat(indicators.keySet()).containsExactly("r", "m");
    assertThat(indicators.values().stream().map(one -> cache.of(one).unstableBars()).distinct())
        .hasSize(1);
  }
}
