package dev.imker.charts.kernel;

import dev.imker.charts.market.Market;

/** Wilder's parabolic stop and reverse, bar by bar, in the variant of ta4j. */
final class ParabolicStop {
  private final double[] high;
  private final double[] low;
  private final double[] close;
  private final double start;
  private final double limit;
  private final double increment;
  private boolean rising;
  private double stop = Double.NaN;
  private double extreme;
  private double acceleration;

  ParabolicStop(Market market, double start, double limit, double increment) {
    this.high = market.high();
    this.low = market.low();
    this.close = market.close();
    this.start = start;
    this.limit = limit;
    this.increment = increment;
  }

  /** The stop at a bar; bars are asked for one after the other from 0. */
  double next(int bar) {
    if (bar == 1) {
      begin();
    } else if (bar > 1) {
      advance(bar);
    }
    return stop;
  }

  private void begin() {
    rising = close[0] < close[1];
    acceleration = start;
    stop = rising ? low[0] : high[0];
    extreme = rising ? high[0] : low[0];
  }

  private void advance(int bar) {
    stop += acceleration * (extreme - stop);
    boolean touched = rising ? low[bar] < stop : high[bar] >= stop;
    if (touched) {
      stop = extreme;
      acceleration = start;
      extreme = rising ? low[bar] : high[bar];
      rising = !rising;
    } else if (rising ? high[bar] > extreme : low[bar] < extreme) {
      extreme = rising ? high[bar] : low[bar];
      acceleration = Math.min(acceleration + increment, limit);
    }
    if (rising) {
      stop = Math.min(stop, Math.min(low[bar - 1], low[bar - 2]));
    } else {
      stop = Math.max(stop, Math.max(high[bar - 1], high[bar - 2]));
    }
  }
}
