package dev.imker.charts.kernel;

import dev.imker.charts.market.Market;
import dev.imker.charts.series.Series;
import java.util.Map;

/** True range, directional movement and the parabolic stop. */
final class TrendKernels {
  /** Below this, ta4j's numbers of type double count as equal to zero. */
  private static final double NOTHING = 0.00001;

  private TrendKernels() {}

  static void register(Map<String, Kernel> kernels) {
    kernels.put("ATRIndicator(BarSeries,int)", in -> atr(in, in.bars(0)));
    kernels.put("PlusDIIndicator(BarSeries,int)", in -> directional(in, in.bars(0), 1));
    kernels.put("MinusDIIndicator(BarSeries,int)", in -> directional(in, in.bars(0), -1));
    kernels.put("DXIndicator(BarSeries,int)", in -> dx(in, in.bars(0)));
    kernels.put("ADXIndicator(BarSeries,int)", in -> adx(in, in.bars(0), in.bars(0)));
    kernels.put("ADXIndicator(BarSeries,int,int)", in -> adx(in, in.bars(0), in.bars(1)));
    kernels.put("ParabolicSarIndicator(BarSeries)", in -> parabolic(in.market(), 0.02, 0.2, 0.02));
    kernels.put(
        "ParabolicSarIndicator(BarSeries,Num,Num)",
        in -> parabolic(in.market(), in.number(0), in.number(1), 0.02));
    kernels.put(
        "ParabolicSarIndicator(BarSeries,Num,Num,Num)",
        in -> parabolic(in.market(), in.number(0), in.number(1), in.number(2)));
  }

  static Series atr(Kernel.Inputs in, int bars) {
    return RecursiveAverage.of(in).wilder(new Series(PriceKernels.trueRange(in.market()), 0), bars);
  }

  private static double[] movement(Market market, int sign) {
    double[] result = new double[market.bars()];
    for (int i = 1; i < result.length; i++) {
      double up = market.high()[i] - market.high()[i - 1];
      double down = market.low()[i - 1] - market.low()[i];
      double own = sign > 0 ? up : down;
      double other = sign > 0 ? down : up;
      result[i] = own > other && own > 0 ? own : 0;
    }
    return result;
  }

  private static Series directional(Kernel.Inputs in, int bars, int sign) {
    RecursiveAverage recursive = RecursiveAverage.of(in);
    Series range = atr(in, bars);
    Series move = recursive.wilder(new Series(movement(in.market(), sign), 0), bars);
    double[] atr = range.values();
    double[] average = move.values();
    double[] result = new double[atr.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = Math.abs(atr[i]) < NOTHING ? 0 : average[i] / atr[i] * 100;
    }
    return recursive.derived(result, bars + 1, range, move);
  }

  private static Series dx(Kernel.Inputs in, int bars) {
    Series up = directional(in, bars, 1);
    Series down = directional(in, bars, -1);
    double[] plus = up.values();
    double[] minus = down.values();
    double[] result = new double[plus.length];
    for (int i = 0; i < result.length; i++) {
      double sum = plus[i] + minus[i];
      result[i] = Math.abs(sum) < NOTHING ? 0 : Math.abs(plus[i] - minus[i]) / sum * 100;
    }
    return RecursiveAverage.of(in).derived(result, bars + 1, up, down);
  }

  private static Series adx(Kernel.Inputs in, int movementBars, int averageBars) {
    Series dx = dx(in, movementBars);
    RecursiveAverage recursive = RecursiveAverage.of(in);
    Series average = recursive.wilder(dx, averageBars);
    return recursive.derived(average.values(), dx.unstableBars() + averageBars, average);
  }

  private static Series parabolic(Market market, double start, double limit, double increment) {
    double[] result = new double[market.bars()];
    ParabolicStop stop = new ParabolicStop(market, start, limit, increment);
    for (int i = 0; i < result.length; i++) {
      result[i] = stop.next(i);
    }
    return new Series(result, 1);
  }
}
