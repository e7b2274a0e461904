package dev.imker.charts.kernel;

import dev.imker.charts.market.Market;
import dev.imker.charts.series.Series;
import java.util.Map;

/** Prices of the candle itself, and what follows from them bar by bar. */
final class PriceKernels {
  private PriceKernels() {}

  static void register(Map<String, Kernel> kernels) {
    kernels.put("OpenPriceIndicator(BarSeries)", in -> new Series(in.market().open(), 0));
    kernels.put("HighPriceIndicator(BarSeries)", in -> new Series(in.market().high(), 0));
    kernels.put("LowPriceIndicator(BarSeries)", in -> new Series(in.market().low(), 0));
    kernels.put("ClosePriceIndicator(BarSeries)", in -> new Series(in.market().close(), 0));
    kernels.put("VolumeIndicator(BarSeries)", in -> new Series(in.market().volume(), 0));
    kernels.put("TypicalPriceIndicator(BarSeries)", in -> new Series(typical(in.market()), 0));
    kernels.put("MedianPriceIndicator(BarSeries)", in -> new Series(median(in.market()), 0));
    kernels.put("TRIndicator(BarSeries)", in -> new Series(trueRange(in.market()), 0));
    kernels.put("PreviousValueIndicator(Indicator)", in -> previous(in.series(0), 1));
    kernels.put("PreviousValueIndicator(Indicator,int)", in -> previous(in.series(0), in.bars(1)));
    kernels.put(
        "GainIndicator(Indicator)",
        in -> new Series(Windows.gains(in.series(0).values()), in.series(0).unstableBars() + 1));
    kernels.put(
        "LossIndicator(Indicator)",
        in -> new Series(Windows.losses(in.series(0).values()), in.series(0).unstableBars() + 1));
  }

  static double[] typical(Market market) {
    double[] result = new double[market.bars()];
    for (int i = 0; i < result.length; i++) {
      result[i] = (market.high()[i] + market.low()[i] + market.close()[i]) / 3;
    }
    return result;
  }

  static double[] median(Market market) {
    double[] result = new double[market.bars()];
    for (int i = 0; i < result.length; i++) {
      result[i] = (market.high()[i] + market.low()[i]) / 2;
    }
    return result;
  }

  static double[] trueRange(Market market) {
    double[] high = market.high();
    double[] low = market.low();
    double[] close = market.close();
    double[] result = new double[market.bars()];
    result[0] = Math.abs(high[0] - low[0]);
    for (int i = 1; i < result.length; i++) {
      double gap = Math.max(Math.abs(high[i] - close[i - 1]), Math.abs(close[i - 1] - low[i]));
      result[i] = Math.max(Math.abs(high[i] - low[i]), gap);
    }
    return result;
  }

  private static Series previous(Series source, int bars) {
    double[] x = source.values();
    double[] result = new double[x.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = i < bars ? Double.NaN : x[i - bars];
    }
    return new Series(result, source.unstableBars() + bars);
  }
}
