package dev.imker.charts.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SampleMarkets;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.strategy.StrategyRunner.Leg;
import dev.imker.charts.strategy.StrategyRunner.Span;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders that are filled inside a bar. */
class OrdersTest {
  private static TradingStrategy strategy(String yaml) {
    return AnalysisReader.parse(
            "t.yaml",
            "kind: backtest\ndata: {synthetic: {markets: 1}}\nstrategy:\n" + yaml.indent(2))
        .strategy();
  }

  /** Each row is a bar: open, high, low, close. */
  private static Market market(double[]... bars) {
    int n = bars.length;
    int[] days = new int[n];
    double[][] p = new double[4][n];
    for (int i = 0; i < n; i++) {
      days[i] = 10_000 + i;
      for (int k = 0; k < 4; k++) {
        p[k][i] = bars[i][k];
      }
    }
    return new Market("m", days, p[0], p[1], p[2], p[3], new double[n]);
  }

  private static double[] bar(double open, double high, double low, double close) {
    return new double[] {open, high, low, close};
  }

  private static RunResult run(Market market, String yaml) {
    return new StrategyRunner(market).run(strategy(yaml), new double[0], Span.all(market), true);
  }

  /** Signal at the first close, filled at the open of 100 behind it. */
  private static RunResult bought(String orders, double[]... later) {
    double[][] bars = new double[later.length + 1][];
    bars[0] = bar(100, 100, 100, 100);
    System.arraycopy(later, 0, bars, 1, later.length);
    return run(
        market(bars),
        "warm-up: 0\nsize: {units: 10}\nenter: {and: [{equal: [close, 100]}, {day-of-month: 19}]}\n"
            + "orders: "
            + orders);
  }

  private static final String BRACKET = "{stop-loss: 5, take-profit: 10}";

  @ParameterizedTest
  @CsvSource({
    "102, 109, 95.5, 100, 0, ''", // neither is reached
    "102, 103, 94, 100, 95, stop-loss", // at its price
    "93, 103, 92, 100, 93, stop-loss", // a gap: at the open
    "102, 112, 96, 100, 110, take-profit",
    "115, 116, 90, 100, 115, take-profit", // a gap in favour: at the open, before the low
    "102, 112, 94, 100, 95, stop-loss", // both: the worse
  })
  void a_bracket_is_filled_as_stated(
      double open, double high, double low, double close, double price, String reason) {
    Trade trade =
        bought(BRACKET, bar(100, 101, 99, 100), bar(open, high, low, close)).trades().getFirst();
    assertThat(trade.reason()).isEqualTo(reason);
    assertThat(trade.open()).isEqualTo(reason.isEmpty());
    if (!trade.open()) {
      assertThat(trade.exitPrice()).isEqualTo(price, within(1e-9));
      assertThat(trade.exitBar()).isEqualTo(2);
      assertThat(trade.profit()).isEqualTo(10 * (price - 100), within(1e-9));
    }
  }

  @Test
  void the_orders_work_already_in_the_bar_of_the_entry() {
    Trade trade = bought(BRACKET, bar(100, 101, 94, 100)).trades().getFirst();
    assertThat(trade.entryBar()).isEqualTo(trade.exitBar()).isEqualTo(1);
    assertThat(trade.exitPrice()).isEqualTo(95, within(1e-9));
  }

  @Test
  void targets_are_filled_nearest_first_however_they_are_written() {
    String orders =
        "{stop-loss: 50, take-profit: [{percent: 10, share: 30}, {percent: 4, share: 70}]}";
    Trade near = bought(orders, bar(100, 105, 99, 100), bar(100, 101, 99, 100)).trades().getFirst();
    assertThat(near.exitPrice()).isEqualTo(104, within(1e-9));
    assertThat(near.units()).isEqualTo(7, within(1e-9));
    assertThatThrownBy(() -> bought(orders.replace("30", "40"), bar(100, 101, 99, 100)))
        .hasMessageContaining("the shares add up to 110 % of the position");
  }

  /** A position that goes on from one window to the next keeps its orders. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{stop-loss: 90}",
        "{trailing-stop: 6}",
        "{trailing-stop: {atr: 3}, stop-loss: 8}",
        "{stop-loss: {atr: 2}, take-profit: [{percent: 3, share: 40}, {atr: 3}]}",
        "{entry: {stop: high, bars: 3}, stop-loss: 4, take-profit: 8}",
      })
  void windows_with_the_same_parameters_change_nothing(String orders) {
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    for (String execution : List.of("next-open", "close")) {
      TradingStrategy strategy =
          strategy(
              "enter: {under: [{rsi: 5}, 40]}\nexecution: %s\norders: %s"
                  .formatted(execution, orders));
      Span span = new Span(200, market.bars() - 1, false);
      RunResult whole = new StrategyRunner(market).run(strategy, new double[0], span, true);
      for (int window : new int[] {1, 2, 7, 63, 250}) {
        List<Leg> legs = new ArrayList<>();
        for (int bar = span.firstBar(); bar <= span.lastBar(); bar += window) {
          legs.add(new Leg(bar, new double[0]));
        }
        RunResult walked = new StrategyRunner(market).walk(strategy, legs, span, false, true);
        assertThat(walked.trades()).isEqualTo(whole.trades());
        assertThat(walked.curve()).isEqualTo(whole.curve());
      }
    }
  }

  /** Levels stay with the position; a stop trails at the distance of the new window. */
  @Test
  void another_window_changes_how_a_stop_trails_and_not_where_it_is() {
    TradingStrategy strategy =
        AnalysisReader.parse(
                "t.yaml",
                """
                kind: walk-forward
                data: {synthetic: {markets: 1}}
                strategy:
                  warm-up: 0
                  execution: close
                  enter: {equal: [close, 100]}
                  orders: {trailing-stop: [10, 5, 50]}
                """)
            .strategy();
    Market market =
        market(
            bar(100, 100, 100, 100),
            bar(110, 110, 110, 110),
            bar(120, 120, 120, 120),
            bar(120, 120, 110, 120));
    List<Leg> narrower = List.of(new Leg(0, new double[] {10}), new Leg(2, new double[] {5}));
    Span all = Span.all(market);
    Trade stopped =
        new StrategyRunner(market).walk(strategy, narrower, all, false, true).trades().getFirst();
    assertThat(stopped.exitPrice()).isEqualTo(114, within(1e-9)); // 5 % below 120
    List<Leg> wider = List.of(new Leg(0, new double[] {10}), new Leg(3, new double[] {50}));
    Trade kept =
        new StrategyRunner(market).walk(strategy, wider, all, false, true).trades().getFirst();
    assertThat(kept.open()).isTrue(); // 108 after the first window, never reached
    Market falling =
        market(
            bar(100, 100, 100, 100),
            bar(110, 110, 110, 110),
            bar(120, 120, 120, 120),
            bar(120, 120, 107, 120));
    Trade old =
        new StrategyRunner(falling).walk(strategy, wider, all, false, true).trades().getFirst();
    assertThat(old.exitPrice()).isEqualTo(108, within(1e-9)); // of the first window still
  }

  /** Half at 110, the rest is stopped at 95: +50 and -25. */
  @Test
  void a_position_is_left_in_parts() {
    RunResult result =
        bought(
            "{stop-loss: 5, take-profit: [{percent: 10, share: 50}, {percent: 20}]}",
            bar(100, 101, 99, 100),
            bar(105, 112, 104, 108),
            bar(104, 106, 90, 101));
    assertThat(result.trades()).extracting(Trade::profit).containsExactly(50.0, -25.0);
    assertThat(result.trades()).extracting(Trade::units).containsExactly(5.0, 5.0);
    assertThat(result.trades())
        .extracting(Trade::reason)
        .containsExactly("take-profit", "stop-loss");
    assertThat(result.figure(Figure.FINAL_EQUITY)).isEqualTo(10_025, within(1e-9));
    assertThat(result.curve()).containsExactly(10000, 10000, 10050 + 5 * 8, 10025);
  }

  /** The best of the bars that have ended is 120, so that the stop is 108. */
  @Test
  void a_trailing_stop_follows_the_highs_of_the_bars_that_have_ended() {
    Trade trade =
        bought(
                "{trailing-stop: 10}",
                bar(100, 110, 98, 109),
                bar(109, 120, 107, 118),
                bar(118, 130, 109, 112),
                bar(112, 113, 100, 101))
            .trades()
            .getFirst();
    assertThat(trade.exitBar()).isEqualTo(4);
    assertThat(trade.exitPrice()).isEqualTo(112, within(1e-9)); // 117 is passed by the open
    assertThat(trade.reason()).isEqualTo("trailing-stop");
    assertThat(trade.worst()).isEqualTo(-0.02, within(1e-9));
    assertThat(trade.best()).isEqualTo(0.3, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({
    "stop, 103, 104, 102, 103, 103", // opens beyond
    "stop, 100, 102, 99, 101, 101", // reached inside
    "stop, 99, 100, 98, 99, NaN",
    "limit, 100, 102, 99, 101, 99",
    "limit, 98, 99, 97, 98, 98",
    "limit, 101, 102, 100, 101, NaN",
  })
  void an_entry_order_waits_for_its_price(
      String kind, double open, double high, double low, double close, double price) {
    String level = kind.equals("stop") ? "{plus: [close, 1]}" : "{minus: [close, 1]}";
    List<Trade> trades =
        run(
                market(bar(100, 100, 100, 100), bar(open, high, low, close)),
                "warm-up: 0\nsize: {units: 1}\nenter: {equal: [close, 100]}\nexit: never\n"
                    + "orders: {entry: {%s: %s}}".formatted(kind, level))
            .trades();
    if (Double.isNaN(price)) {
      assertThat(trades).isEmpty();
    } else {
      assertThat(trades.getFirst().entryPrice()).isEqualTo(price, within(1e-9));
      assertThat(trades.getFirst().entryBar()).isEqualTo(1);
    }
  }

  @Test
  void an_entry_order_is_gone_after_its_bars() {
    Market market =
        market(
            bar(100, 100, 100, 100),
            bar(99, 99, 99, 99),
            bar(99, 99, 99, 99),
            bar(102, 102, 102, 102));
    String rules = "warm-up: 0\nsize: {units: 1}\nenter: {equal: [close, 100]}\nexit: never\n";
    assertThat(run(market, rules + "orders: {entry: {stop: 101, bars: 2}}").trades()).isEmpty();
    assertThat(run(market, rules + "orders: {entry: {stop: 101, bars: 3}}").trades()).hasSize(1);
  }

  /** 1 % of 10,000 over 2 x ATR(1) of 4 is 12.5 units; a share of 50 % of Kelly before: 30 %. */
  @Test
  void sizes_follow_the_average_true_range_the_volatility_and_kelly() {
    Market market = market(bar(100, 102, 98, 100), bar(100, 102, 98, 100), bar(100, 110, 90, 100));
    String rules = "warm-up: 0\nenter: {day-of-month: 20}\nexit: never\n";
    assertThat(
            run(market, rules + "size: {atr-risk-percent: 1, atrs: 2, bars: 1}")
                .trades()
                .getFirst()
                .units())
        .isEqualTo(12.5, within(1e-9));
    assertThat(
            run(market, rules + "size: {kelly: 0.5, until-percent: 30}")
                .trades()
                .getFirst()
                .units())
        .isEqualTo(30, within(1e-9));
    // changes of +10 % and -10 %: deviation 0.1 per bar, 0.1 * sqrt(365.25) a year
    Market moving =
        market(
            bar(100, 100, 100, 100),
            bar(110, 110, 110, 110),
            bar(99, 99, 99, 99),
            bar(99, 99, 99, 99));
    assertThat(
            run(
                    moving,
                    """
                    warm-up: 0
                    enter: {equal: [close, 99]}
                    exit: never
                    size: {volatility-percent: 50, bars: 2}
                    """)
                .trades()
                .getFirst()
                .units())
        .isEqualTo(10_000 * 0.5 / (0.1 * Math.sqrt(365.25)) / 99, within(1e-9));
  }

  /** Two trades, +10 % and -5 % of the same size: p = 1/2, odds 2, Kelly 1/4. */
  @Test
  void kelly_learns_from_the_trades_so_far() {
    Market market =
        market(
            bar(100, 100, 100, 100),
            bar(100, 110, 100, 100),
            bar(100, 100, 100, 100),
            bar(100, 100, 95, 100),
            bar(100, 100, 100, 100),
            bar(100, 100, 100, 100));
    List<Trade> trades =
        run(
                market,
                """
                warm-up: 0
                execution: close
                enter: {not: {day-of-month: 20}}
                orders: {stop-loss: 5, take-profit: 10}
                size: {kelly: 1, until-percent: 10, trades: 2}
                """)
            .trades();
    assertThat(trades).extracting(Trade::reason).containsExactly("take-profit", "stop-loss", "");
    double odds = trades.get(0).profit() / -trades.get(1).profit();
    double account = 10_000 + trades.get(0).profit() + trades.get(1).profit();
    assertThat(trades.get(2).units() * 100 / account).isEqualTo(0.5 - 0.5 / odds, within(1e-9));
  }

  // ---------------------------------------------------------------- a second implementation

  private record Made(int entryBar, double entry, int exitBar, double exit) {}

  /** Long only, next open, a stop, a target and a trailing stop, written down plainly. */
  private static List<Made> plainly(Market m, double stop, double target, double trail, int every) {
    List<Made> made = new ArrayList<>();
    for (int bar = 0; bar + 1 < m.bars(); bar++) {
      if (m.date(bar).getDayOfMonth() != every) {
        continue;
      }
      int entryBar = bar + 1;
      double entry = m.open()[entryBar];
      double best = entry;
      double level = Math.max(entry * (1 - stop / 100), entry * (1 - trail / 100));
      double aim = entry * (1 + target / 100);
      int at = entryBar;
      double exit = Double.NaN;
      for (; at < m.bars(); at++) {
        if (m.open()[at] <= level || m.open()[at] >= aim) {
          exit = m.open()[at];
        } else if (m.low()[at] <= level) {
          exit = level;
        } else if (m.high()[at] >= aim) {
          exit = aim;
        }
        if (!Double.isNaN(exit)) {
          break;
        }
        best = Math.max(best, m.high()[at]);
        level = Math.max(level, best * (1 - trail / 100));
      }
      if (Double.isNaN(exit)) {
        break;
      }
      made.add(new Made(entryBar, entry, at, exit));
      bar = at - 1;
    }
    return made;
  }

  @Trials(60)
  void a_plain_loop_makes_the_same_trades(Generator random) {
    MarketModel model = random.oneOf(List.of(MarketModel.values()));
    Market market = SyntheticMarkets.generate(1, 6, random.between(1, 1_000_000), model).getFirst();
    double stop = random.between(2, 12);
    double target = random.between(2, 20);
    double trail = random.between(3, 15);
    int day = random.between(1, 28);
    List<Trade> trades =
        run(
                market,
                "warm-up: 0\nenter: {day-of-month: %d}\norders: {stop-loss: %s, take-profit: %s, trailing-stop: %s}"
                    .formatted(day, stop, target, trail))
            .trades();
    List<Made> expected = plainly(market, stop, target, trail, day);
    List<Trade> closed = trades.stream().filter(t -> !t.open()).toList();
    assertThat(closed).hasSameSizeAs(expected);
    for (int i = 0; i < closed.size(); i++) {
      assertThat(closed.get(i).entryBar()).isEqualTo(expected.get(i).entryBar());
      assertThat(closed.get(i).exitBar()).isEqualTo(expected.get(i).exitBar());
      assertThat(closed.get(i).exitPrice()).isEqualTo(expected.get(i).exit(), within(1e-9));
    }
  }

  @Test
  void what_makes_no_sense_is_told() {
    String rules = "enter: always\norders: ";
    assertThatThrownBy(() -> strategy(rules + "{entry: {stop: high}}"))
        .hasMessageContaining("nothing closes a position");
    assertThatThrownBy(() -> strategy(rules + "{stop-loss: 150}"))
        .hasMessageContaining("below 100");
    assertThatThrownBy(() -> strategy(rules + "{entry: {stop: high, limit: low}, stop-loss: 5}"))
        .hasMessageContaining("as stop or as limit");
    assertThatThrownBy(() -> strategy("enter: always\nexit: never\nsize: {kelly: 1}"))
        .hasMessageContaining("kelly needs until-percent");
    assertThatThrownBy(() -> strategy("enter: always\nexit: never\nsize: {cash: 1, atrs: 2}"))
        .hasMessageContaining("'atrs' does not apply to 'cash'");
  }
}
