package dev.imker.charts.kernel;

import dev.imker.charts.market.Market;
import org.ta4j.core.BarSeries;
import org.ta4j.core.num.DoubleNumFactory;

/** The candles of a market for ta4j. */
public final class Ta4jBars {
  private Ta4jBars() {}

  public static BarSeries of(Market market) {
    return Ta4jBridge.toBars(market, DoubleNumFactory.getInstance());
  }
}
