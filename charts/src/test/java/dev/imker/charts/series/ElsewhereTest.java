package dev.imker.charts.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.charts.ChartException;
import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.kernel.SeriesCache;
import dev.imker.charts.kernel.Surroundings;
import dev.imker.charts.market.BarTimes;
import dev.imker.charts.market.Frame;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.Markets;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Indicators over longer bars and of other markets. */
class ElsewhereTest {
  private static final Frame WEEK = Frame.parse("week").orElseThrow();

  private static Market daily(String name, int firstDay, double... closes) {
    int[] days = new int[closes.length];
    Arrays.setAll(days, i -> firstDay + i);
    return new Market(name, days, closes, closes, closes, closes, new double[closes.length]);
  }

  /** From 09:30 on, so many minutes long. */
  private static Market quick(String name, LocalDate day, int minutes, double... closes) {
    int[] days = new int[closes.length];
    int[] seconds = new int[closes.length];
    long[] instants = new long[closes.length];
    for (int i = 0; i < closes.length; i++) {
      days[i] = (int) day.toEpochDay();
      seconds[i] = 9 * 3600 + 1800 + i * minutes * 60;
      instants[i] = days[i] * 86_400L + seconds[i];
    }
    BarTimes times = new BarTimes(days, seconds, instants, minutes * 60, null);
    return new Market(name, times, closes, closes, closes, closes, new double[closes.length]);
  }

  private static double[] values(SeriesExpr expression, Market market, Market... others) {
    Markets all = new Markets(List.of(market), List.of(others));
    Surroundings surroundings = new Surroundings(all::get, JavaIndicators.NONE);
    return new SeriesCache(market, Seeding.SMA, surroundings).of(expression).values();
  }

  @Test
  void a_week_is_known_from_the_next_one_on() {
    int monday = (int) LocalDate.of(2024, 3, 4).toEpochDay();
    Market market = daily("a", monday, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(values(new SeriesExpr.InFrame(WEEK, SeriesExpr.CLOSE), market))
        .containsExactly(
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            7,
            7);
  }

  @Test
  void another_market_is_known_when_its_bar_has_ended() {
    int day = 19_000;
    SeriesExpr other = new SeriesExpr.OfMarket("b", SeriesExpr.CLOSE);
    assertThat(values(other, daily("a", day, 1, 1, 1, 1), daily("b", day + 1, 7, 8)))
        .containsExactly(Double.NaN, 7, 8, 8);
    LocalDate date = LocalDate.ofEpochDay(day);
    assertThat(values(other, quick("a", date, 15, 1, 1, 1, 1, 1), quick("b", date, 30, 7, 8)))
        .containsExactly(Double.NaN, 7, 7, 8, 8);
    assertThat(values(other, quick("a", date, 15, 1, 1), daily("b", day - 1, 7, 8)))
        .containsExactly(7, 7);
    assertThat(values(other, daily("a", day, 1, 1), quick("b", date, 30, 7, 8)))
        .containsExactly(8, 8);
  }

  @Trials(60)
  void nothing_that_comes_later_is_known(Generator random) {
    Analysis analysis = analysis();
    List<Market> markets =
        SyntheticMarkets.generate(2, 2, random.between(1, 100_000), MarketModel.MIXED);
    int cut = random.between(100, 400);
    for (SeriesExpr indicator : analysis.strategy().sources().indicators().values()) {
      double[] whole = values(indicator, markets.get(0), markets.get(1));
      LocalDate last = markets.get(0).date(cut - 1);
      Market known = markets.get(1).between(LocalDate.MIN, last);
      double[] part = values(indicator, markets.get(0).slice(0, cut), known);
      assertThat(part).isEqualTo(Arrays.copyOf(whole, cut));
    }
  }

  private static Analysis analysis() {
    return AnalysisReader.parse(
        "a.yaml",
        """
        kind: backtest
        data: {synthetic: {markets: 2}, watch: SYN-02}
        strategy:
          indicators:
            weekly: {timeframe: {bars: week, of: {ema: 5}}}
            monthly: {timeframe: {bars: month, of: {rsi: 3}}}
            other: {market: {name: SYN-02, of: {sma: 10}}}
            both: {market: {name: SYN-02, of: {timeframe: {bars: week, of: close}}}}
            smooth: {sma: {of: {market: {name: SYN-02}}, bars: 3}}
            ratio: {formula: "close / other"}
          enter: {over: [close, weekly]}
          exit: {under: [ratio, smooth]}
        """);
  }

  @Test
  void only_markets_that_are_there_are_looked_at_or_left_out() {
    Analysis analysis = analysis();
    List<Market> markets = SyntheticMarkets.generate(2, 2, 1, MarketModel.MIXED);
    assertThat(analysis.strategy().sources().markets()).containsExactly("SYN-02");
    assertThat(analysis.traded(markets)).containsExactly(markets.getFirst());
    assertThatThrownBy(() -> analysis.traded(markets.subList(0, 1)))
        .isInstanceOf(ChartException.class)
        .hasMessageContaining("SYN-02");
  }

  @Test
  void strange_lengths_of_bars_are_refused_with_their_line() {
    assertThatThrownBy(
            () ->
                AnalysisReader.parse(
                    "a.yaml",
                    """
                    kind: backtest
                    data: {synthetic: {markets: 2}, bars: fortnight, session: nine to five}
                    strategy:
                      enter: {over: [close, {timeframe: {bars: 3x, of: close}}]}
                      exit: {time: noon}
                    """))
        .hasMessageContaining("'fortnight' is not a bar length")
        .hasMessageContaining("'nine to five' is not a session")
        .hasMessageContaining("line 4")
        .hasMessageContaining("'3x' is not a bar length")
        .hasMessageContaining("'noon' is not a session");
  }
}
