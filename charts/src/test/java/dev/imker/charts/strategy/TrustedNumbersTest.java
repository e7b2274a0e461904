package dev.imker.charts.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SampleMarkets;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.strategy.StrategyRunner.Leg;
import dev.imker.charts.strategy.StrategyRunner.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that once misled. */
class TrustedNumbersTest {
  private static TradingStrategy strategy(String yaml) {
    return AnalysisReader.parse(
            "t.yaml",
            "kind: backtest\ndata: {synthetic: {markets: 1}}\nstrategy:\n" + yaml.indent(2))
        .strategy();
  }

  private static Market market(double... closes) {
    int[] days = new int[closes.length];
    double[] open = new double[closes.length];
    for (int i = 0; i < closes.length; i++) {
      days[i] = 10_000 + i;
      open[i] = closes[Math.max(0, i - 1)];
    }
    return new Market("m", days, open, closes, closes, closes, new double[closes.length]);
  }

  private static RunResult run(Market market, String yaml) {
    return new StrategyRunner(market).run(strategy(yaml), new double[0], Span.all(market), true);
  }

  private static final String REVERSING =
      """
      indicators: {fast: {sma: 5}, slow: {sma: 20}}
      long: {enter: {crossed-up: [fast, slow]}, exit: {crossed-down: [fast, slow]}}
      short: {enter: {crossed-down: [fast, slow]}, exit: {crossed-up: [fast, slow]}}
      """;

  @ParameterizedTest
  @ValueSource(strings = {"next-open", "close"})
  void a_signal_that_ends_one_position_begins_the_opposite_one_at_the_same_price(String execution) {
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    List<Trade> trades = run(market, REVERSING + "execution: " + execution).trades();
    assertThat(trades).hasSizeGreaterThan(20);
    for (int i = 1; i < trades.size(); i++) {
      assertThat(trades.get(i).side()).isNotEqualTo(trades.get(i - 1).side());
      assertThat(trades.get(i).entryBar()).isEqualTo(trades.get(i - 1).exitBar());
      assertThat(trades.get(i).entryPrice()).isEqualTo(trades.get(i - 1).exitPrice());
    }
  }

  /** Always in the market: with every turn the account moves by the price and nothing else. */
  @Test
  void a_bar_on_which_a_position_is_turned_round_counts_once() {
    RunResult result =
        run(
            market(100, 90, 100, 110, 100, 90, 100),
            """
            execution: close
            warm-up: 0
            size: {units: 1}
            long: {enter: {at-least: [close, 110]}, exit: {at-most: [close, 90]}}
            short: {enter: {at-most: [close, 90]}, exit: {at-least: [close, 110]}}
            """);
    assertThat(result.trades().stream().map(Trade::side)).containsExactly("short", "long", "short");
    assertThat(result.curve()).containsExactly(10000, 10000, 9990, 9980, 9970, 9960, 9950);
    assertThat(result.figure(Figure.EXPOSURE)).isEqualTo(6.0 / 7, within(1e-12));
  }

  @Test
  void stops_start_from_the_price_of_the_fill_whatever_the_fees() {
    String rules =
        "execution: close\nwarm-up: 0\nenter: {equal: [close, 100]}\nexit: {stop-loss: 5}\n";
    Market market = market(100, 97, 95.5, 95, 94);
    assertThat(run(market, rules + "fees: {percent: 2}").trades().getFirst().exitBar())
        .isEqualTo(run(market, rules).trades().getFirst().exitBar())
        .isEqualTo(3);
  }

  @Test
  void flat_prices_cross_nothing() {
    double[] closes = new double[300];
    Arrays.fill(closes, 0.1);
    for (int i = 0; i < 60; i++) {
      closes[i] = 0.1 + (i % 7) * 0.013;
    }
    Market market = market(closes);
    for (String rule :
        List.of(
            "{crossed-up: [close, {sma: 7}]}",
            "{crossed-down: [close, {sma: 7}]}",
            "{over: [close, {sma: 7}]}",
            "{under: [{sma: 3}, {sma: 7}]}")) {
      RunResult result = run(market, "warm-up: 75\nenter: " + rule + "\nexit: {bars-held: 1}");
      assertThat(result.trades()).as(rule).isEmpty();
    }
  }

  @Test
  void ruin_is_no_good_risk() {
    RunResult result =
        run(
            market(100, 60, 50, 40, 45, 50, 300, 300, 300, 300),
            "side: short\nexecution: close\nwarm-up: 0\nenter: {equal: [close, 100]}\nexit: never");
    assertThat(result.figure(Figure.TOTAL_RETURN)).isEqualTo(-1);
    assertThat(result.figure(Figure.SHARPE)).isNegative();
    assertThat(result.figure(Figure.SORTINO)).isNegative();
  }

  @Test
  void an_order_larger_than_the_account_is_cut_to_it_and_counted() {
    String rules = "execution: close\nwarm-up: 0\nenter: {equal: [close, 100]}\nexit: never\n";
    Market market = market(100, 110);
    RunResult cut = run(market, rules + "size: {units: 1000}");
    assertThat(cut.trades().getFirst().units()).isEqualTo(100, within(1e-9));
    assertThat(cut.cutOrders()).isEqualTo(1);
    RunResult levered = run(market, rules + "size: {units: 300}\nleverage: 3");
    assertThat(levered.trades().getFirst().units()).isEqualTo(300);
    assertThat(levered.cutOrders()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"next-open", "close"})
  void windows_with_the_same_parameters_change_nothing(String execution) {
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    TradingStrategy strategy =
        strategy(
            REVERSING
                + "fees: {percent: 0.1, fixed: 1}\nsize: {units: 3}\nexecution: "
                + execution);
    Span span = new Span(200, market.bars() - 1, false);
    RunResult whole = new StrategyRunner(market).run(strategy, new double[0], span, true);
    for (int window : new int[] {1, 2, 7, 63, 250}) {
      List<Leg> legs = new ArrayList<>();
      for (int bar = span.firstBar(); bar <= span.lastBar(); bar += window) {
        legs.add(new Leg(bar, new double[0]));
      }
      RunResult walked = new StrategyRunner(market).walk(strategy, legs, span, false, true);
      assertThat(walked.trades()).isEqualTo(whole.trades());
      assertThat(walked.figures()).isEqualTo(whole.figures());
      assertThat(walked.curve()).isEqualTo(whole.curve());
    }
  }

  @Test
  void flat_between_windows_closes_with_their_last_bar() {
    Market market = market(100, 101, 102, 103, 104, 105, 106, 107);
    TradingStrategy strategy =
        strategy("execution: close\nwarm-up: 0\nsize: {units: 1}\nenter: always\nexit: never");
    List<Leg> legs = List.of(new Leg(0, new double[0]), new Leg(4, new double[0]));
    RunResult result =
        new StrategyRunner(market).walk(strategy, legs, new Span(0, 7, true), true, true);
    assertThat(result.trades()).hasSize(2).noneMatch(Trade::open);
    assertThat(result.trades().stream().map(Trade::exitBar)).containsExactly(3, 7);
    assertThat(result.trades().stream().map(Trade::entryBar)).containsExactly(0, 4);
  }
}
