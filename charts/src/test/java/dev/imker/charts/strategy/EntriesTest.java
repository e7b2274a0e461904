package dev.imker.charts.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SampleMarkets;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.strategy.StrategyRunner.Leg;
import dev.imker.charts.strategy.StrategyRunner.Span;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Positions that are made of several signals. */
class EntriesTest {
  private static TradingStrategy strategy(String yaml) {
    return AnalysisReader.parse(
            "t.yaml",
            "kind: backtest\ndata: {synthetic: {markets: 1}}\nstrategy:\n" + yaml.indent(2))
        .strategy();
  }

  private static RunResult run(String yaml, double... closes) {
    int[] days = new int[closes.length];
    for (int i = 0; i < days.length; i++) {
      days[i] = 10_000 + i;
    }
    Market market =
        new Market("m", days, closes, closes, closes, closes, new double[closes.length]);
    return new StrategyRunner(market).run(strategy(yaml), new double[0], Span.all(market), true);
  }

  private static final String ALWAYS =
      "execution: close\nwarm-up: 0\nentries: 3\nenter: always\nexit: {at-least: [close, 130]}\n";

  @Test
  void each_signal_adds_until_there_are_enough() {
    RunResult result =
        run(ALWAYS + "size: {units: 10}\nfees: {fixed: 1}", 100, 110, 120, 125, 130, 90);
    Trade trade = result.trades().getFirst();
    assertThat(trade.entryBar()).isZero();
    assertThat(trade.exitBar()).isEqualTo(4);
    assertThat(trade.units()).isEqualTo(30);
    assertThat(trade.entryPrice()).isEqualTo(110, within(1e-9));
    assertThat(trade.fees()).isEqualTo(4, within(1e-9));
    assertThat(trade.profit()).isEqualTo(30 * 20 - 4, within(1e-9));
    assertThat(result.curve()[2]).isEqualTo(10_000 + 200 + 100 - 3, within(1e-9));
    assertThat(result.curve()[4]).isEqualTo(10_596, within(1e-9));
  }

  @Test
  void no_more_is_added_than_the_account_allows() {
    RunResult result = run(ALWAYS + "size: {equity-percent: 60}", 100, 100, 100, 100);
    assertThat(result.trades().getFirst().units()).isEqualTo(100, within(1e-9));
    assertThat(result.cutOrders()).isEqualTo(1);
    RunResult levered = run(ALWAYS + "size: {equity-percent: 60}\nleverage: 2", 100, 100, 100, 100);
    assertThat(levered.trades().getFirst().units()).isEqualTo(180, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exit: {over: [{rsi: 5}, 60]}",
        "exit: {over: [{rsi: 5}, 60]}\nexecution: close",
        "orders: {trailing-stop: {atr: 3}, take-profit: [{percent: 3, share: 40}, {atr: 4}]}",
      })
  void windows_with_the_same_parameters_change_nothing(String rest) {
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    TradingStrategy strategy =
        strategy("enter: {under: [{rsi: 5}, 40]}\nentries: 4\nsize: {equity-percent: 20}\n" + rest);
    Span span = new Span(200, market.bars() - 1, false);
    RunResult whole = new StrategyRunner(market).run(strategy, new double[0], span, true);
    TradingStrategy single =
        strategy("enter: {under: [{rsi: 5}, 40]}\nsize: {equity-percent: 20}\n" + rest);
    assertThat(whole.trades())
        .isNotEqualTo(new StrategyRunner(market).run(single, new double[0], span, true).trades());
    for (int window : new int[] {1, 2, 63}) {
      List<Leg> legs = new ArrayList<>();
      for (int bar = span.firstBar(); bar <= span.lastBar(); bar += window) {
        legs.add(new Leg(bar, new double[0]));
      }
      RunResult walked = new StrategyRunner(market).walk(strategy, legs, span, false, true);
      assertThat(walked.trades()).isEqualTo(whole.trades());
      assertThat(walked.curve()).isEqualTo(whole.curve());
    }
  }

  @Test
  void what_does_not_go_together_is_refused() {
    assertThatThrownBy(
            () ->
                strategy("enter: always\nentries: 2\norders: {entry: {stop: high}, stop-loss: 5}"))
        .hasMessageContaining("entries")
        .hasMessageContaining("cannot be combined with several entries");
    assertThatThrownBy(
            () -> strategy("enter: always\nexit: never\nentries: 2\nportfolio: {positions: 2}"))
        .hasMessageContaining("in a portfolio");
  }
}
