package dev.imker.charts.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.strategy.StrategyRunner.Span;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.util.List;
import java.util.SplittableRandom;

/** Changing the future never changes the past. */
class NoLookAheadTest {
  private static final List<StrategyCatalogue.Pair> STRATEGIES = StrategyCatalogue.all();

  @Trials(150)
  void what_happens_later_changes_nothing_before(Generator random) {
    int strategyNumber = random.between(0, 14);
    MarketModel model = random.oneOf(List.of(MarketModel.values()));
    long seed = random.between(1, 1_000_000);
    int cut = random.between(50, 500);
    boolean atClose = random.nextBoolean();
    TradingStrategy strategy =
        STRATEGIES.get(strategyNumber).ours(atClose ? "execution: close" : "execution: next-open");
    Market market = SyntheticMarkets.generate(1, 2, seed, model).getFirst();
    Market other = withOtherFuture(market, cut, seed);
    RunResult one = run(strategy, market);
    RunResult two = run(strategy, other);

    assertSamePast(one, two, cut);
  }

  @Trials(100)
  void orders_inside_the_bar_know_nothing_of_what_comes(Generator random) {
    MarketModel model = random.oneOf(List.of(MarketModel.values()));
    long seed = random.between(1, 1_000_000);
    int cut = random.between(50, 500);
    String entry =
        random.oneOf(
            List.of("", "entry: {stop: high, bars: 3}, ", "entry: {limit: low, bars: 2}, "));
    String size =
        random.oneOf(
            List.of(
                "{atr-risk-percent: 1, atrs: 2}",
                "{volatility-percent: 10}",
                "{kelly: 0.5, until-percent: 20, trades: 5}"));
    TradingStrategy strategy =
        AnalysisReader.parse(
                "t.yaml",
                """
                kind: backtest
                data: {synthetic: {markets: 1}}
                strategy:
                  enter: {under: [{rsi: 5}, 45]}
                  execution: %s
                  size: %s
                  orders: {%sstop-loss: {atr: 2}, trailing-stop: 6, take-profit: [{percent: 3, share: 40}, {atr: 3}]}
                """
                    .formatted(random.nextBoolean() ? "close" : "next-open", size, entry))
            .strategy();
    Market market = SyntheticMarkets.generate(1, 2, seed, model).getFirst();
    assertSamePast(run(strategy, market), run(strategy, withOtherFuture(market, cut, seed)), cut);
  }

  private static void assertSamePast(RunResult one, RunResult two, int cut) {
    assertThat(until(two, cut)).isEqualTo(until(one, cut));
    for (int i = 0; i <= cut; i++) {
      assertThat(two.curve()[i]).as("account at bar %d", i).isEqualTo(one.curve()[i]);
    }
  }

  private static RunResult run(TradingStrategy strategy, Market market) {
    return new StrategyRunner(market).run(strategy, new double[0], Span.all(market), true);
  }

  private static List<Trade> until(RunResult result, int cut) {
    return result.trades().stream().filter(t -> !t.open() && t.exitBar() <= cut).toList();
  }

  /** The same candles up to and including the cut, wildly different ones behind. */
  private static Market withOtherFuture(Market m, int cut, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[][] prices = {m.open().clone(), m.high().clone(), m.low().clone(), m.close().clone()};
    double[] volume = m.volume().clone();
    for (int i = cut + 1; i < m.bars(); i++) {
      double factor = 0.3 + 2 * random.nextDouble();
      for (double[] price : prices) {
        price[i] *= factor;
      }
      volume[i] *= random.nextDouble();
    }
    return new Market(m.name(), m.epochDays(), prices[0], prices[1], prices[2], prices[3], volume);
  }
}
