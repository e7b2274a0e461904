package dev.imker.charts.series;

import dev.imker.charts.series.SeriesExpr.Operator;
import java.util.Map;

/** Moving averages and what is built of exponential ones. */
final class AverageKernels {
  private AverageKernels() {}

  static void register(Map<String, Kernel> kernels) {
    kernels.put("SMAIndicator(Indicator,int)", in -> sma(in.series(0), in.bars(1)));
    kernels.put("EMAIndicator(Indicator,int)", in -> ema(in.series(0), in.bars(1)));
    kernels.put("MMAIndicator(Indicator,int)", AverageKernels::mma);
    kernels.put("WMAIndicator(Indicator,int)", in -> wma(in.series(0), in.bars(1)));
    kernels.put("LWMAIndicator(Indicator,int)", in -> wma(in.series(0), in.bars(1)));
    kernels.put("HMAIndicator(Indicator,int)", in -> hull(in.series(0), in.bars(1)));
    kernels.put("SMMAIndicator(Indicator,int)", in -> smoothed(in.series(0), in.bars(1)));
    kernels.put("DoubleEMAIndicator(Indicator,int)", in -> doubleEma(in.series(0), in.bars(1)));
    kernels.put("TripleEMAIndicator(Indicator,int)", in -> tripleEma(in.series(0), in.bars(1)));
    kernels.put("MACDIndicator(Indicator)", in -> macd(in.series(0), 12, 26));
    kernels.put(
        "MACDIndicator(Indicator,int,int)", in -> macd(in.series(0), in.bars(1), in.bars(2)));
    kernels.put("PPOIndicator(Indicator)", in -> ppo(in.series(0), 12, 26));
    kernels.put("PPOIndicator(Indicator,int,int)", in -> ppo(in.series(0), in.bars(1), in.bars(2)));
  }

  static Series sma(Series source, int bars) {
    return new Series(Windows.mean(source.values(), bars), source.unstableBars() + bars - 1);
  }

  static Series ema(Series source, int bars) {
    return new Series(Windows.ema(source.values(), bars), bars);
  }

  private static Series mma(Kernel.Inputs in) {
    return new Series(Windows.mma(in.series(0).values(), in.bars(1)), in.bars(1));
  }

  private static Series wma(Series source, int bars) {
    int unstable = source.unstableBars() + bars - 1;
    return new Series(Windows.weighted(source.values(), bars, unstable), unstable);
  }

  private static Series hull(Series source, int bars) {
    if (bars < 2) {
      throw new UnusableParametersException("A Hull average needs at least 2 bars.");
    }
    Series half = wma(source, bars / 2);
    Series whole = wma(source, bars);
    double[] difference = new double[half.values().length];
    for (int i = 0; i < difference.length; i++) {
      difference[i] = half.values()[i] * 2 - whole.values()[i];
    }
    Series raw = new Series(difference, Math.max(half.unstableBars(), whole.unstableBars()));
    return wma(raw, (int) Math.sqrt(bars));
  }

  private static Series smoothed(Series source, int bars) {
    double[] x = source.values();
    double[] result = new double[x.length];
    result[0] = x[0];
    for (int i = 1; i < x.length; i++) {
      result[i] = (result[i - 1] * (bars - 1) + x[i]) / bars;
    }
    return new Series(result, source.unstableBars() + bars);
  }

  private static Series doubleEma(Series source, int bars) {
    double[] once = Windows.ema(source.values(), bars);
    double[] twice = Windows.ema(once, bars);
    double[] result = new double[once.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = once[i] * 2 - twice[i];
    }
    int unstable = source.unstableBars() + 2 * bars;
    return new Series(Windows.blankBefore(result, unstable), unstable);
  }

  private static Series tripleEma(Series source, int bars) {
    double[] once = Windows.ema(source.values(), bars);
    double[] twice = Windows.ema(once, bars);
    double[] thrice = Windows.ema(twice, bars);
    double[] result = new double[once.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = 3 * (once[i] - twice[i]) + thrice[i];
    }
    int unstable = source.unstableBars() + 3 * bars;
    return new Series(Windows.blankBefore(result, unstable), unstable);
  }

  private static Series macd(Series source, int shortBars, int longBars) {
    checkOrder(shortBars, longBars);
    double[] fast = Windows.ema(source.values(), shortBars);
    double[] slow = Windows.ema(source.values(), longBars);
    return new Series(
        Windows.combine(fast, slow, Operator.MINUS), source.unstableBars() + longBars);
  }

  private static Series ppo(Series source, int shortBars, int longBars) {
    checkOrder(shortBars, longBars);
    double[] fast = Windows.ema(source.values(), shortBars);
    double[] slow = Windows.ema(source.values(), longBars);
    double[] result = new double[fast.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = Windows.ratio(fast[i] - slow[i], slow[i]) * 100;
    }
    return new Series(result, source.unstableBars() + longBars);
  }

  private static void checkOrder(int shortBars, int longBars) {
    if (shortBars > longBars) {
      throw new UnusableParametersException(
          "The short average (%d bars) must not be longer than the long one (%d bars)."
              .formatted(shortBars, longBars));
    }
  }
}
