package dev.imker.charts.kernel;

import dev.imker.charts.series.Seeding;
import dev.imker.charts.series.Series;

/**
 * Averages in which every earlier bar has a share, which shrinks by the same factor from bar to
 * bar. Where they start never quite stops to matter, so each comes with the number of bars after
 * which it does not matter any more; see {@link Seeding#TOLERANCE}.
 */
record RecursiveAverage(Seeding seeding) {
  static RecursiveAverage of(Kernel.Inputs in) {
    return new RecursiveAverage(in.seeding());
  }

  /** The exponential average of ta4j's EMAIndicator, whose bars are the span of the average. */
  Series ema(Series source, int bars) {
    return average(source, 0, bars, 2.0 / (bars + 1), bars);
  }

  /** Wilder's average, ta4j's MMAIndicator. */
  Series wilder(Series source, int bars) {
    return average(source, 0, bars, 1.0 / bars, bars);
  }

  /** The same of differences from bar to bar, of which the first bar has none. */
  Series wilderOfDifferences(double[] differences, int sourceUnstable, int bars) {
    Series source = new Series(differences, sourceUnstable);
    return average(source, 1, bars, 1.0 / bars, sourceUnstable + bars);
  }

  /**
   * @param ta4jUnstable what ta4j says of an average that starts with a single value
   */
  private Series average(Series source, int firstBar, int bars, double weight, int ta4jUnstable) {
    if (seeding == Seeding.FIRST) {
      return new Series(Windows.exponential(source.values(), bars, weight), ta4jUnstable);
    }
    int unstable = source.unstableBars() + firstBar + bars - 1 + Seeding.settlingBars(weight);
    return new Series(Windows.seeded(source.values(), firstBar, bars, weight), unstable);
  }

  /**
   * What is computed bar by bar of averages is settled when they all are.
   *
   * @param ta4jUnstable what ta4j says of it
   */
  Series derived(double[] values, int ta4jUnstable, Series... of) {
    if (seeding == Seeding.FIRST) {
      return new Series(values, ta4jUnstable);
    }
    int unstable = 0;
    for (Series part : of) {
      unstable = Math.max(unstable, part.unstableBars());
    }
    return new Series(values, unstable);
  }

  /** As {@link #derived}, without the values that ta4j leaves out. */
  Series derivedBlank(double[] values, int ta4jUnstable, Series... of) {
    if (seeding == Seeding.FIRST) {
      Windows.blankBefore(values, ta4jUnstable);
    }
    return derived(values, ta4jUnstable, of);
  }
}
