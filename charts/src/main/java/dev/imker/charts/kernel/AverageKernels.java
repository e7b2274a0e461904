package dev.imker.charts.kernel;

import dev.imker.charts.series.Seeding;
import dev.imker.charts.series.Series;
import dev.imker.charts.series.SeriesExpr.Operator;
import dev.imker.charts.series.UnusableParametersException;
import java.util.Arrays;
import java.util.Map;

/** Moving averages and what is built of exponential ones. */
final class AverageKernels {
  private AverageKernels() {}

  static void register(Map<String, Kernel> kernels) {
    kernels.put("SMAIndicator(Indicator,int)", in -> sma(in.series(0), in.bars(1)));
    kernels.put(
        "EMAIndicator(Indicator,int)", in -> RecursiveAverage.of(in).ema(in.series(0), in.bars(1)));
    kernels.put(
        "MMAIndicator(Indicator,int)",
        in -> RecursiveAverage.of(in).wilder(in.series(0), in.bars(1)));
    kernels.put("WMAIndicator(Indicator,int)", in -> wma(in.series(0), in.bars(1)));
    kernels.put("LWMAIndicator(Indicator,int)", in -> wma(in.series(0), in.bars(1)));
    kernels.put("HMAIndicator(Indicator,int)", in -> hull(in.series(0), in.bars(1)));
    kernels.put("SMMAIndicator(Indicator,int)", AverageKernels::smoothed);
    kernels.put("DoubleEMAIndicator(Indicator,int)", AverageKernels::doubleEma);
    kernels.put("TripleEMAIndicator(Indicator,int)", AverageKernels::tripleEma);
    kernels.put("ZLEMAIndicator(Indicator,int)", AverageKernels::zeroLag);
    kernels.put("KAMAIndicator(Indicator)", in -> adaptive(in, 10, 2, 30));
    kernels.put(
        "KAMAIndicator(Indicator,int,int,int)",
        in -> adaptive(in, in.bars(1), in.bars(2), in.bars(3)));
    kernels.put("MACDIndicator(Indicator)", in -> macd(in, 12, 26));
    kernels.put("MACDIndicator(Indicator,int,int)", in -> macd(in, in.bars(1), in.bars(2)));
    kernels.put("PPOIndicator(Indicator)", in -> ppo(in, 12, 26));
    kernels.put("PPOIndicator(Indicator,int,int)", in -> ppo(in, in.bars(1), in.bars(2)));
  }

  static Series sma(Series source, int bars) {
    return new Series(Windows.mean(source.values(), bars), source.unstableBars() + bars - 1);
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

  /** Wilder's average from the first bar on; ta4j's SMMAIndicator. */
  private static Series smoothed(Kernel.Inputs in) {
    if (in.seeding() == Seeding.SMA) {
      return RecursiveAverage.of(in).wilder(in.series(0), in.bars(1));
    }
    Series source = in.series(0);
    int bars = in.bars(1);
    double[] x = source.values();
    double[] result = new double[x.length];
    result[0] = x[0];
    for (int i = 1; i < x.length; i++) {
      result[i] = (result[i - 1] * (bars - 1) + x[i]) / bars;
    }
    return new Series(result, source.unstableBars() + bars);
  }

  private static Series doubleEma(Kernel.Inputs in) {
    RecursiveAverage average = RecursiveAverage.of(in);
    int bars = in.bars(1);
    Series once = average.ema(in.series(0), bars);
    Series twice = average.ema(once, bars);
    double[] result = new double[once.values().length];
    for (int i = 0; i < result.length; i++) {
      result[i] = once.values()[i] * 2 - twice.values()[i];
    }
    return average.derivedBlank(result, in.series(0).unstableBars() + 2 * bars, once, twice);
  }

  private static Series tripleEma(Kernel.Inputs in) {
    RecursiveAverage average = RecursiveAverage.of(in);
    int bars = in.bars(1);
    Series once = average.ema(in.series(0), bars);
    Series twice = average.ema(once, bars);
    Series thrice = average.ema(twice, bars);
    double[] result = new double[once.values().length];
    for (int i = 0; i < result.length; i++) {
      result[i] = 3 * (once.values()[i] - twice.values()[i]) + thrice.values()[i];
    }
    return average.derivedBlank(
        result, in.series(0).unstableBars() + 3 * bars, once, twice, thrice);
  }

  /** An exponential average of what the value would be if it went on as it did lately. */
  private static Series zeroLag(Kernel.Inputs in) {
    Series source = in.series(0);
    int bars = in.bars(1);
    double[] x = source.values();
    double weight = 2.0 / (bars + 1);
    int lag = (bars - 1) / 2;
    int first = firstValue(x);
    double[] result = new double[x.length];
    Arrays.fill(result, Double.NaN);
    double sum = 0;
    for (int i = first; i < x.length; i++) {
      sum += x[i];
      result[i] =
          i == first || i - first + 1 < bars
              ? sum / (i - first + 1)
              : weight * (2 * x[i] - x[i - lag]) + (1 - weight) * result[i - 1];
    }
    int settled = in.seeding() == Seeding.FIRST ? bars : bars - 1 + Seeding.settlingBars(weight);
    return new Series(result, source.unstableBars() + settled);
  }

  /**
   * Kaufman's average: the straighter the way of the values, the faster it follows, and forgets
   * where it began.
   */
  private static Series adaptive(Kernel.Inputs in, int bars, int fastBars, int slowBars) {
    Series source = in.series(0);
    double[] x = source.values();
    double fast = 2.0 / (fastBars + 1);
    double slow = 2.0 / (slowBars + 1);
    int first = firstValue(x);
    double[] result = x.clone();
    double left = 1; // the share of its start that is still in it
    int settled = source.unstableBars() + bars;
    for (int i = first + bars; i < x.length; i++) {
      double way = 0;
      for (int j = i - bars + 1; j <= i; j++) {
        way += Math.abs(x[j] - x[j - 1]);
      }
      double straight = way == 0 ? 0 : Math.abs(x[i] - x[i - bars]) / way;
      double pace = straight * (fast - slow) + slow;
      result[i] = result[i - 1] + pace * pace * (x[i] - result[i - 1]);
      if (in.seeding() == Seeding.SMA && i >= source.unstableBars() + bars) {
        left *= 1 - pace * pace;
        settled = left > Seeding.TOLERANCE ? i + 1 : settled;
      }
    }
    return new Series(result, settled);
  }

  private static int firstValue(double[] x) {
    int first = 0;
    while (first < x.length && Double.isNaN(x[first])) {
      first++;
    }
    return first;
  }

  private static Series macd(Kernel.Inputs in, int shortBars, int longBars) {
    checkOrder(shortBars, longBars);
    RecursiveAverage average = RecursiveAverage.of(in);
    Series fast = average.ema(in.series(0), shortBars);
    Series slow = average.ema(in.series(0), longBars);
    return average.derived(
        Windows.combine(fast.values(), slow.values(), Operator.MINUS),
        in.series(0).unstableBars() + longBars,
        fast,
        slow);
  }

  private static Series ppo(Kernel.Inputs in, int shortBars, int longBars) {
    checkOrder(shortBars, longBars);
    RecursiveAverage average = RecursiveAverage.of(in);
    Series fast = average.ema(in.series(0), shortBars);
    Series slow = average.ema(in.series(0), longBars);
    double[] result = new double[fast.values().length];
    for (int i = 0; i < result.length; i++) {
      double base = slow.values()[i];
      result[i] = Windows.ratio(fast.values()[i] - base, base) * 100;
    }
    return average.derived(result, in.series(0).unstableBars() + longBars, fast, slow);
  }

  private static void checkOrder(int shortBars, int longBars) {
    if (shortBars > longBars) {
      throw new UnusableParametersException(
          "The short average (%d bars) must not be longer than the long one (%d bars)."
              .formatted(shortBars, longBars));
    }
  }
}
