package dev.imker.charts.market;

import java.util.SplittableRandom;

/**
 * A market with the same bars in another order: what each of them did (its gap to the close before,
 * its range, its change, its volume) is kept, the dates stay, and so do the first bar and the last
 * close. Whatever depends on the order of bars is gone.
 */
public final class ShuffledMarket {
  private ShuffledMarket() {}

  /** Markets with the same number of bars are shuffled alike by the same seed. */
  public static Market of(Market market, long seed) {
    int bars = market.bars();
    int[] order = order(bars, seed);
    double[] open = new double[bars];
    double[] high = new double[bars];
    double[] low = new double[bars];
    double[] close = new double[bars];
    double[] volume = new double[bars];
    double[] dividends = new double[bars];
    for (int bar = 0; bar < bars; bar++) {
      int from = order[bar];
      // The gap to the close before is part of what a bar did.
      double scale = from == 0 ? 1 : close[bar - 1] / market.close()[from - 1];
      open[bar] = market.open()[from] * scale;
      high[bar] = market.high()[from] * scale;
      low[bar] = market.low()[from] * scale;
      close[bar] = market.close()[from] * scale;
      volume[bar] = market.volume()[from];
      dividends[bar] = from == 0 ? 0 : market.dividends(from - 1, from) * scale;
    }
    return new Market(market.name(), market.times(), open, high, low, close, volume)
        .paying(dividends);
  }

  /** The first bar stays: nothing is known of what was before it. */
  private static int[] order(int bars, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] order = new int[bars];
    for (int i = 0; i < bars; i++) {
      order[i] = i;
    }
    for (int i = bars - 1; i > 1; i--) {
      int other = 1 + random.nextInt(i);
      int kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
    return order;
  }
}
