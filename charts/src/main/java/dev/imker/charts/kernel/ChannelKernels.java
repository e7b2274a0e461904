package dev.imker.charts.kernel;

import dev.imker.charts.series.Seeding;
import dev.imker.charts.series.Series;
import java.util.Map;

/** Deviations, extremes and the channels built of them. */
final class ChannelKernels {
  private ChannelKernels() {}

  static void register(Map<String, Kernel> kernels) {
    registerDeviations(kernels);
    registerBollinger(kernels);
    registerKeltner(kernels);
    kernels.put(
        "DonchianChannelUpperIndicator(BarSeries,int)",
        in -> new Series(Windows.highest(in.market().high(), in.bars(0)), in.bars(0) - 1));
    kernels.put(
        "DonchianChannelLowerIndicator(BarSeries,int)",
        in -> new Series(Windows.lowest(in.market().low(), in.bars(0)), in.bars(0) - 1));
    kernels.put("DonchianChannelMiddleIndicator(BarSeries,int)", ChannelKernels::donchianMiddle);
  }

  private static void registerDeviations(Map<String, Kernel> kernels) {
    kernels.put("HighestValueIndicator(Indicator,int)", windowed(Windows::highest));
    kernels.put("LowestValueIndicator(Indicator,int)", windowed(Windows::lowest));
    kernels.put("VarianceIndicator(Indicator,int)", windowed(Windows::variance));
    kernels.put("StandardDeviationIndicator(Indicator,int)", windowed(Windows::deviation));
    kernels.put("MeanDeviationIndicator(Indicator,int)", windowed(Windows::meanDeviation));
  }

  private interface WindowFunction {
    double[] apply(double[] values, int bars);
  }

  private static Kernel windowed(WindowFunction function) {
    return in -> {
      Series source = in.series(0);
      int bars = in.bars(1);
      return new Series(function.apply(source.values(), bars), source.unstableBars() + bars - 1);
    };
  }

  private static void registerBollinger(Map<String, Kernel> kernels) {
    String arguments = "(BollingerBandsMiddleIndicator,Indicator";
    kernels.put("BollingerBandsMiddleIndicator(Indicator)", in -> in.series(0));
    kernels.put(
        "BollingerBandsUpperIndicator" + arguments + ")",
        in -> shifted(in.series(0), in.series(1), 2));
    kernels.put(
        "BollingerBandsUpperIndicator" + arguments + ",Num)",
        in -> shifted(in.series(0), in.series(1), in.number(2)));
    kernels.put(
        "BollingerBandsLowerIndicator" + arguments + ")",
        in -> shifted(in.series(0), in.series(1), -2));
    kernels.put(
        "BollingerBandsLowerIndicator" + arguments + ",Num)",
        in -> shifted(in.series(0), in.series(1), -in.number(2)));
    kernels.put("PercentBIndicator(Indicator,int,double)", ChannelKernels::percentB);
  }

  private static Series shifted(Series middle, Series deviation, double factor) {
    double[] result = new double[middle.values().length];
    for (int i = 0; i < result.length; i++) {
      result[i] = middle.values()[i] + deviation.values()[i] * factor;
    }
    return new Series(result, Math.max(middle.unstableBars(), deviation.unstableBars()));
  }

  private static Series percentB(Kernel.Inputs in) {
    double[] x = in.series(0).values();
    double[] mean = Windows.mean(x, in.bars(1));
    double[] deviation = Windows.deviation(x, in.bars(1));
    double[] result = new double[x.length];
    for (int i = 0; i < result.length; i++) {
      double upper = mean[i] + deviation[i] * in.number(2);
      double lower = mean[i] - deviation[i] * in.number(2);
      result[i] = Windows.ratio(x[i] - lower, upper - lower);
    }
    return new Series(result, in.series(0).unstableBars() + in.bars(1) - 1);
  }

  private static void registerKeltner(Map<String, Kernel> kernels) {
    kernels.put(
        "KeltnerChannelMiddleIndicator(BarSeries,int)",
        in -> keltnerMiddle(in, new Series(PriceKernels.typical(in.market()), 0), in.bars(0)));
    kernels.put(
        "KeltnerChannelMiddleIndicator(Indicator,int)",
        in -> keltnerMiddle(in, in.series(0), in.bars(1)));
    kernels.put(
        "KeltnerChannelUpperIndicator(KeltnerChannelMiddleIndicator,double,int)",
        in -> keltner(in, in.number(1)));
    kernels.put(
        "KeltnerChannelLowerIndicator(KeltnerChannelMiddleIndicator,double,int)",
        in -> keltner(in, -in.number(1)));
  }

  private static Series keltnerMiddle(Kernel.Inputs in, Series source, int bars) {
    RecursiveAverage recursive = RecursiveAverage.of(in);
    Series average = recursive.ema(source, bars);
    return recursive.derivedBlank(average.values(), source.unstableBars() + bars, average);
  }

  private static Series keltner(Kernel.Inputs in, double factor) {
    Series band = shifted(in.series(0), TrendKernels.atr(in, in.bars(2)), factor);
    if (in.seeding() == Seeding.FIRST) {
      Windows.blankBefore(band.values(), band.unstableBars());
    }
    return band;
  }

  private static Series donchianMiddle(Kernel.Inputs in) {
    double[] upper = Windows.highest(in.market().high(), in.bars(0));
    double[] lower = Windows.lowest(in.market().low(), in.bars(0));
    double[] result = new double[upper.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = (lower[i] + upper[i]) / 2;
    }
    return new Series(result, in.bars(0) - 1);
  }
}
