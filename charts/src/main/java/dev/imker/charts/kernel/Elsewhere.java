package dev.imker.charts.kernel;

import dev.imker.charts.market.Market;
import dev.imker.charts.series.Series;
import java.util.Arrays;

/** Brings series of other bars to those of a market: only what had ended when a bar ended. */
final class Elsewhere {
  private Elsewhere() {}

  /**
   * Of longer bars of the same market.
   *
   * @param periods the longer bar that each bar is part of
   */
  static Series ofFrame(Series series, int[] periods) {
    int[] known = new int[periods.length];
    for (int bar = 0; bar < known.length; bar++) {
      known[bar] = periods[bar] - 1;
    }
    return taken(series, known);
  }

  static Series ofMarket(Series series, Market other, Market market) {
    int[] known = new int[market.bars()];
    int last = -1;
    for (int bar = 0; bar < known.length; bar++) {
      long end = market.times().end(bar, other.times());
      while (last + 1 < other.bars() && other.times().end(last + 1, market.times()) <= end) {
        last++;
      }
      known[bar] = last;
    }
    return taken(series, known);
  }

  /**
   * @param known the last bar of the series that is known at each bar, or -1
   */
  private static Series taken(Series series, int[] known) {
    double[] values = new double[known.length];
    Arrays.fill(values, Double.NaN);
    int unstable = 0;
    for (int bar = 0; bar < values.length; bar++) {
      if (known[bar] >= 0) {
        values[bar] = series.values()[known[bar]];
      }
      unstable = known[bar] < series.unstableBars() ? bar + 1 : unstable;
    }
    return new Series(values, unstable);
  }
}
