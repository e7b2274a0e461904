package dev.imker.charts.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.kernel.Ta4jBars;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.SampleMarkets;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.strategy.StrategyCatalogue.Pair;
import dev.imker.charts.strategy.StrategyRunner.Span;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ta4j.core.BarSeries;
import org.ta4j.core.Position;
import org.ta4j.core.Trade.TradeType;
import org.ta4j.core.TradingRecord;
import org.ta4j.core.analysis.cost.CostModel;
import org.ta4j.core.analysis.cost.LinearTransactionCostModel;
import org.ta4j.core.analysis.cost.ZeroCostModel;
import org.ta4j.core.backtest.BarSeriesManager;
import org.ta4j.core.backtest.TradeExecutionModel;
import org.ta4j.core.backtest.TradeOnCurrentCloseModel;
import org.ta4j.core.backtest.TradeOnNextOpenModel;
import org.ta4j.core.num.Num;

/** Our trader and that of ta4j make the same trades. */
class Ta4jEqualityTest {
  private static final List<Market> MARKETS =
      SampleMarkets.all().stream().map(m -> m.slice(0, 500)).toList();

  static Stream<Pair> strategies() {
    return StrategyCatalogue.all().stream();
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void trades_filled_at_the_next_open_are_those_of_ta4j(Pair pair) {
    compareOnAllMarkets(pair, "warm-up: 60", new TradeOnNextOpenModel(), new ZeroCostModel(), 60);
  }

  /** Stops start from the price of the fill here, and from price and fees in ta4j. */
  static Stream<Pair> strategiesWithoutStops() {
    return strategies()
        .filter(pair -> !pair.yaml().contains("stop") && !pair.yaml().contains("take-profit"));
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void trades_filled_at_the_close_are_those_of_ta4j(Pair pair) {
    compareOnAllMarkets(
        pair,
        "execution: close\nwarm-up: 0",
        new TradeOnCurrentCloseModel(),
        new ZeroCostModel(),
        0);
  }

  @ParameterizedTest
  @MethodSource("strategiesWithoutStops")
  void trades_filled_at_the_close_with_fees_are_those_of_ta4j(Pair pair) {
    compareOnAllMarkets(
        pair,
        "execution: close\nwarm-up: 0\nfees: {percent: 0.1}",
        new TradeOnCurrentCloseModel(),
        new LinearTransactionCostModel(0.001),
        0);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void trades_with_slippage_are_those_of_ta4j(Pair pair) {
    compareOnAllMarkets(
        pair, "warm-up: 0\nslippage: 0.05", new SlippingModel(), new ZeroCostModel(), 0);
  }

  /** Fills at the next open, worsened by 0.05 %. */
  private static final class SlippingModel implements TradeExecutionModel {
    @Override
    public void execute(int index, TradingRecord record, BarSeries series, Num amount) {
      if (index + 1 <= series.getEndIndex()) {
        boolean buys =
            record.getCurrentPosition().isNew() == (record.getStartingType() == TradeType.BUY);
        Num factor = series.numFactory().numOf(buys ? 1 + 0.05 / 100 : 1 - 0.05 / 100);
        Num price = series.getBar(index + 1).getOpenPrice().multipliedBy(factor);
        record.operate(index + 1, price, amount);
      }
    }
  }

  private static void compareOnAllMarkets(
      Pair pair, String terms, TradeExecutionModel model, CostModel costs, int warmUp) {
    int trades = 0;
    for (Market market : MARKETS) {
      BarSeries series = Ta4jBars.of(market);
      TradingRecord theirs =
          new BarSeriesManager(series, costs, new ZeroCostModel(), model)
              .run(pair.theirs(series, warmUp), pair.side());
      RunResult ours =
          new StrategyRunner(market).run(pair.ours(terms), new double[0], Span.all(market), true);
      compare(pair + " on " + market.name(), ours.trades(), theirs);
      trades += theirs.getPositions().size();
    }
    assertThat(trades).as("the strategy trades at all").isGreaterThan(5);
  }

  private static void compare(String what, List<Trade> ours, TradingRecord theirs) {
    List<Trade> closed = ours.stream().filter(t -> !t.open()).toList();
    List<Position> positions = theirs.getPositions();
    assertThat(closed.stream().map(t -> t.entryBar() + "-" + t.exitBar()).toList())
        .as(what)
        .isEqualTo(
            positions.stream()
                .map(p -> p.getEntry().getIndex() + "-" + p.getExit().getIndex())
                .toList());
    for (int i = 0; i < closed.size(); i++) {
      Trade trade = closed.get(i);
      Position position = positions.get(i);
      double tolerance = 1e-9 * trade.entryPrice();
      assertThat(trade.entryPrice())
          .isCloseTo(position.getEntry().getPricePerAsset().doubleValue(), within(tolerance));
      assertThat(trade.exitPrice())
          .isCloseTo(position.getExit().getPricePerAsset().doubleValue(), within(tolerance));
      assertThat(trade.profit())
          .isCloseTo(position.getProfit().doubleValue(), within(1e-7 * trade.entryPrice()));
    }
    assertThat(ours.stream().anyMatch(Trade::open))
        .as(what + ": open at the end")
        .isEqualTo(theirs.getCurrentPosition().isOpened());
  }
}
