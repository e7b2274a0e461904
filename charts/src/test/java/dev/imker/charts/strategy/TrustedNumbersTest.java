package dev.imker.charts.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SampleMarkets;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.outcome.Trade;
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

  private static final String HOLD = "execution: close\nwarm-up: 0\nenter: always\nexit: never\n";

  @Test
  void who_holds_the_market_has_a_beta_of_one_and_no_alpha() {
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    RunResult whole = run(market, HOLD);
    assertThat(whole.figure(Figure.BETA)).isEqualTo(1, within(1e-9));
    assertThat(whole.figure(Figure.ALPHA)).isEqualTo(0, within(1e-9));
    RunResult away = run(market, HOLD.replace("always", "never"));
    assertThat(away.figure(Figure.BETA)).isZero();
    assertThat(away.figure(Figure.ALPHA)).isZero();
    assertThat(run(market, HOLD + "side: short\n").figure(Figure.BETA)).isNegative();
  }

  /** Against the definitions, computed from the curve bar by bar. */
  @Test
  void beta_and_alpha_and_sharpe_above_the_risk_free_rate_are_what_their_definitions_say() {
    Market market = SampleMarkets.synthetic(MarketModel.TREND);
    RunResult result = run(market, REVERSING + "risk-free: 3\nsize: {equity-percent: 60}\n");
    int n = market.bars();
    double[] account = new double[n];
    double[] moves = new double[n];
    for (int i = 1; i < n; i++) {
      account[i] = result.curve()[i] / result.curve()[i - 1] - 1;
      moves[i] = market.close()[i] / market.close()[i - 1] - 1;
    }
    double a = Arrays.stream(account).average().orElseThrow();
    double m = Arrays.stream(moves).average().orElseThrow();
    double covariance = 0;
    double spread = 0;
    double own = 0;
    for (int i = 0; i < n; i++) {
      covariance += (account[i] - a) * (moves[i] - m);
      spread += (moves[i] - m) * (moves[i] - m);
      own += (account[i] - a) * (account[i] - a);
    }
    double beta = covariance / spread;
    double perYear = n / ((market.epochDays()[n - 1] - market.epochDays()[0]) / 365.25);
    double free = 0.03 / perYear;
    assertThat(result.figure(Figure.BETA)).isEqualTo(beta, within(1e-9));
    assertThat(result.figure(Figure.ALPHA))
        .isEqualTo((a - free - beta * (m - free)) * perYear, within(1e-9));
    assertThat(result.figure(Figure.SHARPE))
        .isEqualTo((a - free) / Math.sqrt(own / n) * Math.sqrt(perYear), within(1e-9));
    double[] again =
        CurveFigures.of(
            strategy(REVERSING + "risk-free: 3\n").terms(),
            10_000,
            result.curve(),
            market,
            0,
            0,
            result.trades(),
            0);
    for (Figure figure : List.of(Figure.BETA, Figure.ALPHA, Figure.SHARPE, Figure.SORTINO)) {
      assertThat(again[figure.ordinal()])
          .as(figure.label())
          .isEqualTo(result.figure(figure), within(1e-9));
    }
  }

  /** 0.1 % a day on 100 for the three days from the entry to the exit. */
  @Test
  void a_short_position_costs_what_it_borrows() {
    RunResult result =
        run(
            market(100, 100, 100, 100, 100, 100),
            """
            execution: close
            warm-up: 0
            side: short
            size: {units: 1}
            borrow: 36.525
            enter: {and: [{day-of-month: 19}]}
            exit: {bars-held: 3}
            """);
    Trade trade = result.trades().getFirst();
    assertThat(trade.barsHeld()).isEqualTo(3);
    assertThat(trade.profit()).isEqualTo(-0.3, within(1e-9));
    assertThat(trade.fees()).isEqualTo(0.3, within(1e-9));
  }

  /** 20 for ten units on the third day; nothing on the days of the two entries. */
  @Test
  void whoever_held_a_unit_at_the_close_before_gets_its_dividend() {
    RunResult result =
        run(
            market(100, 100, 98, 99, 97).paying(new double[] {3, 0, 2, 0, 1}),
            """
            execution: close
            warm-up: 0
            size: {units: 10}
            enter: always
            exit: {bars-held: 3}
            """);
    Trade trade = result.trades().getFirst();
    assertThat(trade.exitBar()).isEqualTo(3);
    assertThat(trade.dividends()).isEqualTo(20, within(1e-9));
    assertThat(trade.profit()).isEqualTo(10, within(1e-9));
    assertThat(result.trades().getLast().dividends()).isZero();
    assertThat(result.curve())
        .containsExactly(new double[] {1e4, 1e4, 1e4, 10010, 10010}, within(1e-9));
    assertThat(result.figure(Figure.DIVIDENDS)).isEqualTo(20, within(1e-9));
    // 100 / 100 * (98 + 2) / 100 * 99 / 98 * (97 + 1) / 99
    assertThat(result.figure(Figure.BUY_AND_HOLD)).isEqualTo(0, within(1e-12));
  }

  /** Sold at the open of the second day, bought at that of the fourth: two dividends are owed. */
  @Test
  void a_short_position_pays_dividends() {
    Trade trade =
        run(
                market(100, 100, 98, 99, 97).paying(new double[] {0, 5, 2, 4, 0}),
                """
                warm-up: 0
                side: short
                size: {units: 10}
                enter: always
                exit: {bars-held: 1}
                """)
            .trades()
            .getFirst();
    assertThat(List.of(trade.entryBar(), trade.exitBar())).containsExactly(1, 3);
    assertThat(trade.dividends()).isEqualTo(-60, within(1e-9));
    assertThat(trade.profit()).isEqualTo(10 * (100 - 98) - 60, within(1e-9));
  }

  /** Added one by one, as by any machine with any number of cores. */
  @Test
  void sums_of_dividends_are_the_same_to_the_last_digit_everywhere() {
    Market plain = SampleMarkets.synthetic(MarketModel.MIXED);
    double[] paid = new double[plain.bars()];
    for (int bar = 0; bar < paid.length; bar++) {
      paid[bar] = plain.close()[bar] / 997;
    }
    Market market = plain.paying(paid);
    double sum = paid[0];
    for (int bar = 1; bar < paid.length; bar++) {
      sum += paid[bar];
      assertThat(market.dividends(0, bar)).isEqualTo(sum - paid[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"long", "short"})
  void parts_of_a_position_share_its_dividends(String side) {
    Market plain = SampleMarkets.synthetic(MarketModel.MIXED);
    double[] paid = new double[plain.bars()];
    for (int bar = 1; bar < paid.length; bar += 7) {
      paid[bar] = 0.01 * plain.close()[bar - 1];
    }
    RunResult result =
        run(
            plain.paying(paid),
            """
            indicators: {fast: {sma: 5}, slow: {sma: 20}}
            side: %s
            borrow: 3
            enter: {over: [fast, slow]}
            exit: {bars-held: 30}
            orders: {take-profit: [{percent: 2, share: 40}, {percent: 9}]}
            """
                .formatted(side));
    assertThat(result.trades()).hasSizeGreaterThan(20);
    for (Trade trade : result.trades()) {
      double perUnit = 0;
      for (int bar = trade.entryBar() + 1; bar <= trade.exitBar(); bar++) {
        perUnit += paid[bar];
      }
      double signed = side.equals("long") ? trade.units() : -trade.units();
      assertThat(trade.dividends()).isEqualTo(signed * perUnit, within(1e-7));
    }
    assertThat(10_000 + result.trades().stream().mapToDouble(Trade::profit).sum())
        .isEqualTo(result.figure(Figure.FINAL_EQUITY), within(1e-6));
  }

  @Test
  void an_order_costs_at_least_the_minimum() {
    Market market = market(100, 100, 100);
    String rules = "execution: close\nwarm-up: 0\nenter: always\nexit: {bars-held: 1}\n";
    String fees = "fees: {percent: 0.1, minimum: 5}\n";
    assertThat(run(market, rules + fees + "size: {units: 1}").trades().getFirst().fees())
        .isEqualTo(10, within(1e-9));
    assertThat(run(market, rules + fees + "size: {units: 80}").trades().getFirst().fees())
        .isEqualTo(16, within(1e-9));
    Trade all = run(market, rules + fees + "capital: 1005").trades().getFirst();
    assertThat(all.units()).isEqualTo(10, within(1e-9));
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
