package dev.imker.charts.luck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.luck.Overfitting.Block;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.ShuffledMarket;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.outcome.Trade;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LuckTest {
  private static Trade trade(int entryBar, double profit) {
    return new Trade(
        "m",
        "long",
        entryBar,
        "2020-01-01",
        100,
        entryBar + 1,
        "2020-01-02",
        110,
        1,
        0,
        0,
        profit,
        0,
        false,
        "",
        0,
        0);
  }

  @Test
  void drawing_one_kind_of_trade_always_gives_the_same_account() {
    double[] curve = {200, 200, 400, 400};
    TradeDraws.Course course =
        new TradeDraws.Course(100, 0, curve, List.of(trade(0, 100), trade(2, 200)));
    TradeDraws draws = Objects.requireNonNull(TradeDraws.of(List.of(course), 50, 1));
    assertThat(draws.totalReturn()).isEqualTo(new TradeDraws.Quantiles(3, 3, 3));
    assertThat(draws.maxDrawdown().high()).isZero();
    assertThat(draws.lossShare()).isZero();
    assertThat(draws.trades()).isEqualTo(2);
  }

  @Test
  void draws_of_a_doubling_and_a_halving_lose_one_time_in_four() {
    double[] curve = {200, 200, 100, 100};
    TradeDraws.Course course =
        new TradeDraws.Course(100, 0, curve, List.of(trade(0, 100), trade(2, -100)));
    TradeDraws draws = Objects.requireNonNull(TradeDraws.of(List.of(course), 20_000, 1));
    assertThat(draws.lossShare()).isCloseTo(0.25, within(0.01));
    assertThat(draws.totalReturn()).isEqualTo(new TradeDraws.Quantiles(-0.75, 0, 3));
    assertThat(draws.maxDrawdown()).isEqualTo(new TradeDraws.Quantiles(0, 0.5, 0.75));
  }

  @Test
  void nothing_is_drawn_from_a_single_trade() {
    TradeDraws.Course course =
        new TradeDraws.Course(100, 0, new double[] {200}, List.of(trade(0, 100)));
    assertThat(TradeDraws.of(List.of(course), 50, 1)).isNull();
  }

  /** Values computed by Python's statistics module from the published formula. */
  @Test
  void the_deflated_sharpe_ratio_is_the_published_one() {
    assertThat(DeflatedSharpe.expectedMaximum(100)).isCloseTo(2.5306028932016846, within(1e-9));
    double[] cycle = {0.01, -0.005, 0.02, 0.0, -0.01, 0.015, 0.005, -0.002};
    double[] returns = new double[256];
    Arrays.setAll(returns, i -> cycle[i % cycle.length]);
    double[] trials = {0.5, 1.0, 1.5, 2.0, 0.8, Double.NaN};
    DeflatedSharpe deflated =
        Objects.requireNonNull(DeflatedSharpe.of(1.5, trials, List.of(returns), 252));
    assertThat(deflated.trials()).isEqualTo(5);
    assertThat(deflated.expectedByChance()).isCloseTo(0.7085654516652158, within(1e-9));
    assertThat(deflated.probability()).isCloseTo(0.7893071845210663, within(1e-9));
  }

  @Test
  void overfitting_agrees_with_a_plain_count_over_the_returns_themselves() {
    Random random = new Random(5);
    int blocks = 6;
    int combinations = 12;
    int bars = 40;
    double[][] returns = new double[combinations][blocks * bars];
    for (double[] row : returns) {
      double drift = random.nextGaussian() * 0.1;
      Arrays.setAll(row, i -> drift + random.nextGaussian());
    }
    Overfitting found = Objects.requireNonNull(Overfitting.of(cut(returns, blocks), blocks));
    int splits = 0;
    int below = 0;
    int lost = 0;
    for (int half = 0; half < 1 << blocks; half++) {
      if (Integer.bitCount(half) == blocks / 2) {
        int chosen = half;
        double[] inside = sharpes(returns, bars, b -> (chosen & 1 << b) != 0);
        double[] outside = sharpes(returns, bars, b -> (chosen & 1 << b) == 0);
        int best = 0;
        for (int i = 1; i < combinations; i++) {
          best = inside[i] > inside[best] ? i : best;
        }
        double own = outside[best];
        long worse = Arrays.stream(outside).filter(s -> s < own).count();
        splits++;
        below += worse + 0.5 <= combinations / 2.0 ? 1 : 0;
        lost += own < 0 ? 1 : 0;
      }
    }
    assertThat(found.splits()).isEqualTo(splits).isEqualTo(20);
    assertThat(found.probability()).isCloseTo((double) below / splits, within(1e-12));
    assertThat(found.lossShare()).isCloseTo((double) lost / splits, within(1e-12));
  }

  private interface Blocks {
    boolean has(int block);
  }

  private static double[] sharpes(double[][] returns, int bars, Blocks chosen) {
    return Arrays.stream(returns)
        .mapToDouble(
            row -> {
              List<Double> some = new ArrayList<>();
              for (int i = 0; i < row.length; i++) {
                if (chosen.has(i / bars)) {
                  some.add(row[i]);
                }
              }
              double mean = some.stream().mapToDouble(r -> r).average().orElseThrow();
              double variance =
                  some.stream().mapToDouble(r -> (r - mean) * (r - mean)).average().orElseThrow();
              return mean / Math.sqrt(variance);
            })
        .toArray();
  }

  private static List<Block[][]> cut(double[][] returns, int blocks) {
    List<Block[][]> cut = new ArrayList<>();
    for (double[] row : returns) {
      int bars = row.length / blocks;
      Block[] market = new Block[blocks];
      for (int b = 0; b < blocks; b++) {
        double[] part = Arrays.copyOfRange(row, b * bars, (b + 1) * bars);
        double mean = Arrays.stream(part).average().orElseThrow();
        double squares = Arrays.stream(part).map(r -> r * r).average().orElseThrow();
        market[b] = new Block(bars, mean, Math.sqrt(squares - mean * mean));
      }
      cut.add(new Block[][] {market});
    }
    return cut;
  }

  @Test
  void what_is_best_in_every_block_is_not_overfitted() {
    double[][] returns = new double[5][80];
    Random random = new Random(3);
    for (int i = 0; i < returns.length; i++) {
      double drift = i == 2 ? 1.0 : -0.2;
      Arrays.setAll(returns[i], k -> drift + 0.1 * random.nextGaussian());
    }
    Overfitting found = Objects.requireNonNull(Overfitting.of(cut(returns, 8), 8));
    assertThat(found.probability()).isZero();
    assertThat(found.splits()).isEqualTo(70);
  }

  @Test
  void a_shuffled_market_has_the_same_bars_in_another_order() {
    Market market = SyntheticMarkets.generate(1, 2, 4, MarketModel.MIXED).getFirst();
    Market shuffled = ShuffledMarket.of(market, 9);
    assertThat(changes(shuffled)).isNotEqualTo(changes(market));
    assertThat(sorted(changes(shuffled))).containsExactly(sorted(changes(market)), within(1e-9));
    int last = market.bars() - 1;
    assertThat(shuffled.close()[last]).isCloseTo(market.close()[last], within(1e-6));
    assertThat(shuffled.epochDays()).isEqualTo(market.epochDays());
    assertThat(ShuffledMarket.of(market, 9).close()).isEqualTo(shuffled.close());
    for (int bar = 0; bar <= last; bar++) {
      assertThat(shuffled.high()[bar]).isGreaterThanOrEqualTo(shuffled.close()[bar]);
      assertThat(shuffled.low()[bar]).isLessThanOrEqualTo(shuffled.open()[bar]);
    }
  }

  private static double[] changes(Market market) {
    double[] changes = new double[market.bars() - 1];
    Arrays.setAll(changes, i -> market.close()[i + 1] / market.close()[i]);
    return changes;
  }

  private static double[] sorted(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted;
  }
}
