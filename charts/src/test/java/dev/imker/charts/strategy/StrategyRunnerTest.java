package dev.imker.charts.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.market.Market;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.strategy.StrategyRunner.Span;
import java.time.LocalDate;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StrategyRunnerTest {
  /** Candles that open at the close before; one year apart, so that yearly figures are plain. */
  private static Market market(double... closes) {
    int n = closes.length;
    int[] days = new int[n];
    double[] open = new double[n];
    for (int i = 0; i < n; i++) {
      days[i] = (int) LocalDate.of(2001 + i, 1, 1).toEpochDay();
      open[i] = closes[Math.max(0, i - 1)];
    }
    double[] volume = new double[n];
    Arrays.fill(volume, 1000);
    return new Market("m", days, open, closes, closes, closes, volume);
  }

  private static RunResult run(Market market, String strategy) {
    String yaml =
        "kind: backtest\ndata: {synthetic: {markets: 1}}\nstrategy:\n"
            + strategy.indent(2)
            + "  warm-up: 0\n";
    return new StrategyRunner(market)
        .run(
            AnalysisReader.parse("t.yaml", yaml).strategy(), new double[0], Span.all(market), true);
  }

  @Test
  void figures_of_a_simple_course_are_those_computed_by_hand() {
    RunResult result =
        run(
            market(100, 100, 110, 121, 60.5, 60.5, 121),
            "execution: close\nenter: {equal: [close, 100]}\nexit: {under: [close, 70]}");
    assertThat(result.figure(Figure.TOTAL_RETURN)).isCloseTo(-0.395, within(1e-12));
    assertThat(result.figure(Figure.MAX_DRAWDOWN)).isCloseTo(0.5, within(1e-12));
    assertThat(result.figure(Figure.TRADES)).isEqualTo(1);
    assertThat(result.figure(Figure.WIN_RATE)).isZero();
    assertThat(result.figure(Figure.EXPOSURE)).isCloseTo(4.0 / 7, within(1e-12));
    assertThat(result.figure(Figure.CAGR)).isCloseTo(Math.pow(0.605, 1 / 6.0) - 1, within(1e-4));
    assertThat(result.figure(Figure.BUY_AND_HOLD)).isCloseTo(0.21, within(1e-12));
    assertThat(result.curve()).containsExactly(10000, 10000, 11000, 12100, 6050, 6050, 6050);
  }

  @Test
  void a_short_position_earns_when_the_price_falls() {
    RunResult result =
        run(
            market(100, 100, 90, 80, 80),
            """
            side: short
            execution: close
            enter: {equal: [close, 100]}
            exit: {under: [close, 85]}
            """);
    assertThat(result.figure(Figure.TOTAL_RETURN)).isCloseTo(0.2, within(1e-12));
    assertThat(result.trades().getFirst().side()).isEqualTo("short");
  }

  @Test
  void both_sides_trade_in_turn() {
    RunResult result =
        run(
            market(100, 90, 100, 110, 100, 90, 80, 90, 100),
            """
            execution: close
            long: {enter: {crossed-up: [close, 95]}, exit: {crossed-down: [close, 105]}}
            short: {enter: {crossed-down: [close, 95]}, exit: {crossed-up: [close, 85]}}
            """);
    assertThat(result.trades().stream().map(Trade::side)).containsExactly("short", "long");
  }

  @Test
  void fees_and_slippage_cost_what_they_should() {
    RunResult result =
        run(
            market(100, 100, 110, 120, 120),
            """
            execution: close
            size: {units: 10}
            fees: {percent: 1, fixed: 2}
            slippage: 1
            enter: {equal: [close, 100]}
            exit: {equal: [close, 120]}
            """);
    Trade trade = result.trades().getFirst();
    assertThat(trade.entryPrice()).isCloseTo(101, within(1e-9));
    assertThat(trade.exitPrice()).isCloseTo(118.8, within(1e-9));
    assertThat(trade.fees()).isCloseTo(10.1 + 11.88 + 4, within(1e-9));
    assertThat(trade.profit()).isCloseTo(178 - 25.98, within(1e-9));
  }

  @Test
  void sizes_follow_cash_risk_and_whole_units() {
    String rules = "execution: close\nenter: {equal: [close, 30]}\nexit: never\n";
    Market market = market(30, 30, 33);
    assertThat(units(market, rules + "size: {cash: 3000}")).isCloseTo(100, within(1e-9));
    assertThat(units(market, rules + "size: {equity-percent: 50}\nwhole-units: true"))
        .isEqualTo(166);
    assertThat(units(market, rules + "size: {risk-percent: 1, stop-percent: 5}"))
        .isCloseTo(100 / 1.5, within(1e-9));
  }

  private static double units(Market market, String strategy) {
    return run(market, strategy).trades().getFirst().units();
  }

  @Test
  void an_open_position_is_valued_but_not_counted() {
    RunResult result = run(market(100, 100, 130), "execution: close\nenter: always\nexit: never");
    assertThat(result.trades()).singleElement().matches(Trade::open);
    assertThat(result.figure(Figure.TRADES)).isZero();
    assertThat(result.figure(Figure.TOTAL_RETURN)).isCloseTo(0.3, within(1e-12));
  }

  @Test
  void a_ruined_account_stops_trading() {
    RunResult result =
        run(
            market(100, 100, 150, 250, 100, 100, 50),
            """
            side: short
            execution: close
            enter: {equal: [close, 100]}
            exit: {under: [close, 60]}
            """);
    assertThat(result.figure(Figure.TOTAL_RETURN)).isEqualTo(-1);
    assertThat(result.figure(Figure.MAX_DRAWDOWN)).isEqualTo(1);
    assertThat(result.trades()).hasSize(1);
    assertThat(result.curve()[6]).isZero();
  }

  @Test
  void waiting_after_an_exit_delays_the_next_entry() {
    Market market = market(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2);
    String exit = "execution: close\nexit: {bars-held: 1}\n";
    int eager = run(market, exit + "enter: always").trades().size();
    int patient = run(market, exit + "enter: {bars-since-exit: 4}").trades().size();
    assertThat(eager).isEqualTo(6);
    assertThat(patient).isEqualTo(3);
  }

  @Test
  void months_and_days_held_follow_the_calendar() {
    RunResult result =
        run(
            market(1, 2, 3, 4, 5),
            "execution: close\nenter: {month: [jan]}\nexit: {days-held: 366}");
    assertThat(result.trades().getFirst().exitBar()).isEqualTo(2);
  }
}
