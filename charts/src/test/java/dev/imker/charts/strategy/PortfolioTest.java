package dev.imker.charts.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.ChartException;
import dev.imker.charts.kernel.Surroundings;
import dev.imker.charts.market.CommonCalendar;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SampleMarkets;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.strategy.StrategyRunner.Span;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortfolioTest {
  private static TradingStrategy strategy(String yaml) {
    return AnalysisReader.parse(
            "t.yaml",
            "kind: backtest\ndata: {synthetic: {markets: 1}}\nstrategy:\n" + yaml.indent(2))
        .strategy();
  }

  private static Market market(String name, int firstDay, double... closes) {
    int[] days = new int[closes.length];
    double[] open = new double[closes.length];
    for (int i = 0; i < closes.length; i++) {
      days[i] = firstDay + i;
      open[i] = closes[Math.max(0, i - 1)];
    }
    return new Market(name, days, open, closes, closes, closes, new double[closes.length]);
  }

  private static RunResult run(String yaml, Market... markets) {
    CommonCalendar calendar = new CommonCalendar(List.of(markets));
    return new PortfolioRunner(calendar, Surroundings.NONE)
        .run(strategy(yaml), new double[0], Span.all(calendar.asMarket()), true);
  }

  private static final String CROSSING =
      """
      indicators: {fast: {ema: 5}, slow: {sma: 20}}
      fees: {percent: 0.1, fixed: 1, minimum: 3}
      slippage: 0.05
      borrow: 4
      """;

  /** The account of one market is the second implementation. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "enter: {crossed-up: [fast, slow]}\nexit: {crossed-down: [fast, slow]}\n",
        "enter: {over: [fast, slow]}\nexit: [{stop-loss: 4}, {bars-held: 9}]\nexecution: close\n",
        """
        enter: {over: [fast, slow]}
        exit: {under: [fast, slow]}
        side: short
        whole-units: true
        """,
        "enter: {over: [fast, slow]}\nexit: {trailing-stop: 3}\nsize: {equity-percent: 60}\n",
        """
        long: {enter: {crossed-up: [fast, slow]}, exit: {crossed-down: [fast, slow]}}
        short: {enter: {crossed-down: [fast, slow]}, exit: {crossed-up: [fast, slow]}}
        """
      })
  void a_portfolio_of_one_market_is_the_account_of_that_market(String rules) {
    Market plain = SampleMarkets.synthetic(MarketModel.MIXED);
    double[] dividends = new double[plain.bars()];
    for (int bar = 10; bar < dividends.length; bar += 60) {
      dividends[bar] = 1;
    }
    Market market = plain.paying(dividends);
    RunResult alone =
        new StrategyRunner(market)
            .run(strategy(CROSSING + rules), new double[0], Span.all(market), true);
    RunResult shared = run(CROSSING + rules + "portfolio: {}\n", market);
    assertThat(alone.trades()).hasSizeGreaterThan(10);
    assertThat(shared.trades()).hasSameSizeAs(alone.trades());
    for (int i = 0; i < alone.trades().size(); i++) {
      Trade expected = alone.trades().get(i);
      Trade trade = shared.trades().get(i);
      assertThat(trade)
          .usingRecursiveComparison()
          .withComparatorForType(
              (Double a, Double b) -> Math.abs(a - b) <= 1e-7 * (1 + Math.abs(b)) ? 0 : 1,
              Double.class)
          .isEqualTo(expected);
    }
    assertThat(shared.curve()).containsExactly(alone.curve(), within(1e-6));
    for (Figure figure : Figure.values()) {
      assertThat(shared.figure(figure))
          .as(figure.label())
          .isEqualTo(alone.figure(figure), within(1e-6));
    }
  }

  @Test
  void figures_of_a_part_of_the_history_are_those_of_the_market_alone() {
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    Span span = new Span(200, market.bars() - 1, false);
    String rules = CROSSING + "enter: {over: [fast, slow]}\nexit: {under: [fast, slow]}\n";
    RunResult alone = new StrategyRunner(market).run(strategy(rules), new double[0], span, true);
    RunResult shared =
        new PortfolioRunner(new CommonCalendar(List.of(market)), Surroundings.NONE)
            .run(strategy(rules + "portfolio: {}\n"), new double[0], span, true);
    for (Figure figure : Figure.values()) {
      assertThat(shared.figure(figure))
          .as(figure.label())
          .isEqualTo(alone.figure(figure), within(1e-6));
    }
  }

  /** By hand: 5000 of a for 100; on its ex-date, 10500 are there to give b its half of. */
  @Test
  void dividends_are_there_for_what_is_bought_on_their_day() {
    Market a = market("a", 10_000, 100, 100, 100, 90, 90).paying(new double[] {0, 0, 0, 10, 0});
    RunResult result =
        run(
            "warm-up: 0\nenter: {over: [close, 99]}\nexit: never\nportfolio: {positions: 2}\n",
            a,
            market("b", 10_000, 50, 50, 100, 100, 100));
    Trade b = result.trades().getLast();
    assertThat(b.market()).isEqualTo("b");
    assertThat(b.entryBar()).isEqualTo(3);
    assertThat(b.units()).isEqualTo(52.5, within(1e-9));
    assertThat(result.curve()).containsExactly(1e4, 1e4, 1e4, 1e4, 1e4);
    assertThat(result.figure(Figure.DIVIDENDS)).isEqualTo(500, within(1e-9));
  }

  /** 100 / (100 - 50) is more than 200 / (200 - 50); 50 / 0 is nothing. */
  @Test
  void a_market_whose_rank_is_unknown_makes_way() {
    RunResult result =
        run(
            """
            execution: close
            warm-up: 0
            enter: always
            exit: never
            portfolio:
              positions: 1
              rank: {divided-by: [close, {minus: [close, 50]}]}
              rebalance: daily
            """,
            market("a", 10_000, 100, 100, 50, 50),
            market("b", 10_000, 200, 200, 200, 200));
    assertThat(result.trades().stream().map(Trade::market)).containsExactly("a", "b");
    assertThat(result.trades().getFirst().exitBar()).isEqualTo(2);
  }

  /** By hand: 6000 of a at 100 and 4000 of b at 50; a doubles, so that 2400 of it go into b. */
  @Test
  void positions_are_brought_back_to_their_weights_when_a_month_begins() {
    // 1970-01-30 and 31, then 1970-02-01 and 02
    RunResult result =
        run(
            """
            execution: close
            warm-up: 0
            enter: always
            exit: never
            portfolio: {weights: {a: 60, b: 40}, rebalance: monthly}
            """,
            market("a", 29, 100, 100, 200, 200),
            market("b", 29, 50, 50, 50, 25));
    assertThat(result.curve()).containsExactly(10_000, 10_000, 16_000, 12_800);
    Trade sold = result.trades().getFirst();
    assertThat(sold.market()).isEqualTo("a");
    assertThat(sold.reason()).isEqualTo("rebalanced");
    assertThat(sold.units()).isEqualTo(12, within(1e-9)); // 60 held, 9600 / 200 = 48 kept
    assertThat(sold.profit()).isEqualTo(1200, within(1e-9));
    Trade b = result.trades().getLast();
    assertThat(b.units()).isEqualTo(128, within(1e-9)); // 80 for 50, 48 more for 50
    assertThat(b.entryPrice()).isEqualTo(50, within(1e-9));
    assertThat(b.open()).isTrue();
  }

  /** Nobody knows at a close that it was the last of a market. */
  @Test
  void an_order_that_no_bar_of_its_market_can_fill_gives_its_place_back() {
    RunResult result =
        run(
            """
            enter: {over: [close, 100]}
            exit: never
            warm-up: 0
            portfolio: {positions: 1}
            """,
            market("a", 29, 100, 100, 110),
            market("b", 29, 100, 100, 101, 102, 103, 104));
    // On the third day both signal, and a has the place; its order is never filled.
    assertThat(result.trades()).extracting(Trade::market).containsExactly("b");
    assertThat(result.trades().getFirst().entryBar()).isEqualTo(4);
  }

  /** What is borrowed for the days before is what was held then. */
  @Test
  void borrowing_costs_what_was_held_until_more_was_sold_short() {
    RunResult result =
        run(
            """
            long: {enter: never, exit: never}
            short: {enter: always, exit: never}
            warm-up: 0
            borrow: 36.525
            portfolio: {weights: {a: 50}, rebalance: daily}
            """,
            market("a", 29, 100, 100, 50, 50));
    // A day costs a thousandth of the last close: 5 of 50 sold for 100, so that 0.025 of them are
    // bought back. Then 2.49875 of the rest at 50, and only then there are
    // (15,000 - 5 - 0.025 * 100 - 2.49875 - 49.975 * 50) / 2 / 50 of them.
    Trade open = result.trades().getLast();
    assertThat(open.open()).isTrue();
    assertThat(open.units()).isEqualTo(124.9125125, within(1e-9));
    assertThat(open.fees()).isEqualTo(5 * 49.975 / 50 + 2.49875, within(1e-9));
  }

  @Test
  void the_best_by_rank_are_held_and_others_make_way_for_them() {
    RunResult result =
        run(
            """
            execution: close
            warm-up: 1
            enter: always
            exit: never
            portfolio: {positions: 1, rank: {roc: 1}, rebalance: daily}
            """,
            market("a", 10, 100, 110, 110, 110, 110),
            market("b", 10, 100, 100, 120, 120, 130),
            market("c", 10, 100, 100, 100, 150, 150));
    assertThat(result.trades().stream().map(Trade::market)).containsExactly("a", "b", "c", "b");
    assertThat(result.trades().getFirst().reason()).isEqualTo("rank");
    assertThat(result.trades().getFirst().entryDate()).isEqualTo("1970-01-12");
    assertThat(result.trades().getLast().open()).isTrue();
  }

  @Test
  void places_are_given_to_the_best_of_those_that_signal() {
    RunResult result =
        run(
            """
            execution: close
            warm-up: 0
            enter: {over: [close, 100]}
            exit: {under: [close, 100]}
            portfolio: {positions: 2, rank: {lowest: close}}
            """,
            market("a", 10, 100, 103, 103),
            market("b", 10, 100, 102, 102),
            market("c", 10, 100, 101, 101));
    assertThat(result.trades().stream().map(Trade::market)).containsExactly("b", "c");
    assertThat(result.trades())
        .allMatch(trade -> Math.abs(trade.units() * trade.entryPrice() - 5000) < 1e-6);
  }

  /** Changes of 1 % and 2 % to and fro: twice as much of the calm one. */
  @Test
  void calm_markets_get_more() {
    RunResult result =
        run(
            """
            execution: close
            warm-up: 5
            enter: always
            exit: never
            portfolio: {weights: inverse-volatility, volatility-bars: 4}
            """,
            market("calm", 10, 100, 101, 99.99, 100.9899, 99.980001, 100.97980101, 100),
            market("wild", 10, 100, 102, 99.96, 101.9592, 99.920016, 101.91841632, 100));
    Trade calm = result.trades().getFirst();
    Trade wild = result.trades().getLast();
    assertThat(calm.units() * calm.entryPrice()).isEqualTo(20_000.0 / 3, within(1e-6));
    assertThat(wild.units() * wild.entryPrice()).isEqualTo(10_000.0 / 3, within(1e-6));
  }

  @Test
  void a_market_waits_for_its_next_bar_and_is_left_when_its_data_end() {
    Market late = market("late", 13, 10, 20, 20);
    RunResult result =
        run(
            "warm-up: 0\nenter: always\nexit: never\nportfolio: {}\n",
            market("whole", 10, 100, 100, 100, 100, 100, 100, 100, 100),
            late);
    Trade trade =
        result.trades().stream().filter(t -> t.market().equals("late")).findFirst().orElseThrow();
    assertThat(trade.entryDate()).isEqualTo("1970-01-15");
    assertThat(trade.exitDate()).isEqualTo("1970-01-16");
    assertThat(trade.reason()).isEqualTo("end of data");
    assertThat(result.curve()).hasSize(8);
    assertThat(result.curve()[7]).isEqualTo(15_000); // 5000 doubled, from the open of 10 to 20
  }

  @Test
  void money_is_never_spent_twice_and_nothing_depends_on_the_future() {
    List<Market> markets = SyntheticMarkets.generate(6, 4, 11, MarketModel.MIXED);
    String rules =
        """
        enter: {over: [close, {sma: 50}]}
        exit: [{under: [close, {sma: 50}]}, {stop-loss: 6}]
        fees: {percent: 0.2}
        portfolio: {positions: 3, rank: {roc: 60}, rebalance: monthly, weights: inverse-volatility}
        """;
    RunResult whole = run(rules, markets.toArray(Market[]::new));
    int cut = markets.getFirst().bars() * 2 / 3;
    RunResult past = run(rules, markets.stream().map(m -> m.slice(0, cut)).toArray(Market[]::new));
    assertThat(whole.trades()).hasSizeGreaterThan(50);
    for (int day = 0; day < cut - 1; day++) {
      assertThat(past.curve()[day]).isEqualTo(whole.curve()[day]);
    }
    for (int day = 0; day < cut; day++) {
      int today = day;
      double invested =
          whole.trades().stream()
              .filter(t -> t.entryBar() <= today && t.exitBar() > today)
              .mapToDouble(t -> t.units() * t.entryPrice())
              .sum();
      assertThat(invested).isLessThanOrEqualTo(whole.curve()[day] * 1.5);
    }
    assertThat(whole.trades().stream().mapToDouble(Trade::profit).sum())
        .isEqualTo(whole.curve()[whole.curve().length - 1] - 10_000, within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "portfolio: {weights: {a: 60, b: 50}}|at most 100 in total",
        "portfolio: {rebalance: monthy}|Did you mean 'monthly'",
        "portfolio: {entries: when-rebalanced}|rebalance: monthly",
        "portfolio: {}\nsize: {units: 3}|equity-percent",
        "portfolio: {}\norders: {stop-loss: 5}|put stops under 'exit:'",
      })
  void what_a_portfolio_cannot_do_is_refused(String rules) {
    String[] parts = rules.split("\\|", 2);
    assertThatThrownBy(() -> strategy("enter: always\nexit: never\n" + parts[0]))
        .isInstanceOf(ChartException.class)
        .hasMessageContaining(parts[1]);
  }

  @Test
  void weights_of_markets_that_are_not_there_are_refused() {
    assertThatThrownBy(
            () ->
                run(
                    "enter: always\nexit: never\nportfolio: {weights: {dax: 60}}",
                    market("dx", 1, 1, 2, 3)))
        .hasMessageContaining("no market 'dax'. Did you mean 'dx'?");
  }
}
