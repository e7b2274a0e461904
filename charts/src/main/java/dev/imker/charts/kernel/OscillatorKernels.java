package dev.imker.charts.kernel;

import dev.imker.charts.market.Market;
import dev.imker.charts.series.Seeding;
import dev.imker.charts.series.Series;
import dev.imker.charts.series.SeriesExpr;
import java.util.Map;

/** Oscillators of momentum. */
final class OscillatorKernels {
  private OscillatorKernels() {}

  static void register(Map<String, Kernel> kernels) {
    kernels.put("RSIIndicator(Indicator,int)", OscillatorKernels::rsi);
    kernels.put(
        "StochasticRSIIndicator(Indicator,int)",
        in -> stochastic(OscillatorKernels.rsi(in), in.bars(1)));
    kernels.put("UlcerIndexIndicator(Indicator,int)", in -> ulcer(in.series(0), in.bars(1)));
    kernels.put("CMOIndicator(Indicator,int)", in -> cmo(in.series(0), in.bars(1)));
    kernels.put("ROCIndicator(Indicator,int)", in -> roc(in.series(0), in.bars(1)));
    kernels.put("CCIIndicator(BarSeries,int)", in -> cci(in.market(), in.bars(0)));
    kernels.put(
        "StochasticOscillatorKIndicator(BarSeries,int)", in -> stochastic(in.market(), in.bars(0)));
    kernels.put(
        "StochasticOscillatorDIndicator(StochasticOscillatorKIndicator)",
        in -> AverageKernels.sma(in.series(0), 3));
    kernels.put("StochasticOscillatorDIndicator(Indicator)", in -> in.series(0));
    kernels.put("WilliamsRIndicator(BarSeries,int)", in -> williams(in.market(), in.bars(0)));
    kernels.put(
        "AroonUpIndicator(BarSeries,int)",
        in -> aroon(in.market().high(), new Series(in.market().high(), 0), in.bars(0), true));
    kernels.put(
        "AroonDownIndicator(BarSeries,int)",
        in -> aroon(in.market().low(), new Series(in.market().low(), 0), in.bars(0), false));
    kernels.put(
        "AroonUpIndicator(Indicator,int)",
        in -> aroon(in.market().high(), in.series(0), in.bars(1), true));
    kernels.put(
        "AroonDownIndicator(Indicator,int)",
        in -> aroon(in.market().low(), in.series(0), in.bars(1), false));
    kernels.put("AroonOscillatorIndicator(BarSeries,int)", OscillatorKernels::aroonOscillator);
  }

  private static Series rsi(Kernel.Inputs in) {
    Series source = in.series(0);
    int bars = in.bars(1);
    RecursiveAverage average = RecursiveAverage.of(in);
    double[] gains = Windows.gains(source.values());
    double[] losses = Windows.losses(source.values());
    if (in.seeding() == Seeding.SMA) {
      leaveOutUnknown(source.values(), gains, losses);
    }
    Series gain = average.wilderOfDifferences(gains, source.unstableBars(), bars);
    Series loss = average.wilderOfDifferences(losses, source.unstableBars(), bars);
    double[] up = gain.values();
    double[] down = loss.values();
    double[] result = new double[up.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = down[i] == 0 ? (up[i] == 0 ? 0 : 100) : 100 - 100 / (1 + up[i] / down[i]);
    }
    return average.derivedBlank(result, bars + source.unstableBars(), gain, loss);
  }

  /** A change from a bar without value is none: the averages start behind it. */
  private static void leaveOutUnknown(double[] x, double[] gains, double[] losses) {
    for (int i = 1; i < x.length && Double.isNaN(x[i - 1]); i++) {
      gains[i] = Double.NaN;
      losses[i] = Double.NaN;
    }
  }

  private static Series cmo(Series source, int bars) {
    double[] gain = Windows.gains(source.values());
    double[] loss = Windows.losses(source.values());
    double[] result = new double[gain.length];
    for (int i = 0; i < result.length; i++) {
      double up = 0;
      double down = 0;
      for (int j = Math.max(1, i - bars + 1); j <= i; j++) {
        up += gain[j];
        down += loss[j];
      }
      result[i] = Windows.ratio(up - down, up + down) * 100;
    }
    return new Series(result, source.unstableBars() + bars);
  }

  private static Series roc(Series source, int bars) {
    double[] x = source.values();
    double[] result = new double[x.length];
    for (int i = 0; i < result.length; i++) {
      double then = x[Math.max(i - bars, 0)];
      result[i] = Windows.ratio(x[i] - then, then) * 100;
    }
    return new Series(result, source.unstableBars() + bars);
  }

  private static Series cci(Market market, int bars) {
    double[] price = PriceKernels.typical(market);
    double[] mean = Windows.mean(price, bars);
    double[] deviation = Windows.meanDeviation(price, bars);
    double[] result = new double[price.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = deviation[i] == 0 ? 0 : (price[i] - mean[i]) / (deviation[i] * 0.015);
    }
    return new Series(result, bars - 1);
  }

  private static Series stochastic(Market market, int bars) {
    double[] high = Windows.highest(market.high(), bars);
    double[] low = Windows.lowest(market.low(), bars);
    double[] result = new double[market.bars()];
    for (int i = 0; i < result.length; i++) {
      result[i] = Windows.ratio(market.close()[i] - low[i], high[i] - low[i]) * 100;
    }
    return new Series(result, bars - 1);
  }

  /** Where a series is between its lowest and highest; as before where these are the same. */
  private static Series stochastic(Series source, int bars) {
    double[] x = source.values();
    double[] high = Windows.highest(x, bars);
    double[] low = Windows.lowest(x, bars);
    int unstable = source.unstableBars() + bars - 1;
    double[] result = new double[x.length];
    for (int i = 0; i < result.length; i++) {
      double range = high[i] - low[i];
      result[i] =
          i < unstable
              ? Double.NaN
              : range == 0 ? (i == 0 ? 0 : result[i - 1]) : (x[i] - low[i]) / range * 100;
    }
    return new Series(result, unstable);
  }

  /** The mean depth, squared, of the falls from the highest value so far of the window. */
  private static Series ulcer(Series source, int bars) {
    double[] x = source.values();
    double[] result = new double[x.length];
    for (int i = 0; i < result.length; i++) {
      int from = Math.max(0, i - bars + 1);
      double highest = x[from];
      double squares = 0;
      for (int j = from; j <= i; j++) {
        highest = Math.max(highest, x[j]);
        double fall = (x[j] - highest) / highest * 100;
        squares += fall * fall;
      }
      result[i] = Math.sqrt(squares / (i - from + 1));
    }
    return new Series(result, source.unstableBars() + bars - 1);
  }

  private static Series williams(Market market, int bars) {
    double[] high = Windows.highest(market.high(), bars);
    double[] low = Windows.lowest(market.low(), bars);
    double[] result = new double[market.bars()];
    for (int i = 0; i < result.length; i++) {
      result[i] = Windows.ratio(high[i] - market.close()[i], high[i] - low[i]) * -100;
    }
    return new Series(result, bars - 1);
  }

  /** Bars since the extreme of the last {@code bars + 1} bars, as a share of 100. */
  private static Series aroon(double[] candle, Series source, int bars, boolean up) {
    double[] x = source.values();
    double[] extreme = up ? Windows.highest(x, bars + 1) : Windows.lowest(x, bars + 1);
    double[] result = new double[x.length];
    for (int i = 0; i < result.length; i++) {
      int passed = 0;
      for (int j = i; j > Math.max(0, i - bars) && x[j] != extreme[i]; j--) {
        passed++;
      }
      result[i] = Double.isNaN(candle[i]) ? Double.NaN : (bars - passed) / (double) bars * 100;
    }
    return new Series(result, source.unstableBars() + bars);
  }

  private static Series aroonOscillator(Kernel.Inputs in) {
    Market market = in.market();
    Series up = aroon(market.high(), new Series(market.high(), 0), in.bars(0), true);
    Series down = aroon(market.low(), new Series(market.low(), 0), in.bars(0), false);
    return new Series(
        Windows.combine(up.values(), down.values(), SeriesExpr.Operator.MINUS), in.bars(0));
  }
}
