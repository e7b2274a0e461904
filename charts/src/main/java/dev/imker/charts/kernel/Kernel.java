package dev.imker.charts.kernel;

import dev.imker.charts.market.Market;
import dev.imker.charts.series.Seeding;
import dev.imker.charts.series.Series;

/**
 * Computes the series of one signature on primitive arrays. What it computes equals ta4j, but for
 * the start of recursive averages, which {@link Seeding} decides.
 */
@FunctionalInterface
interface Kernel {
  Series compute(Inputs inputs);

  /** The market and the evaluated arguments of a call. */
  interface Inputs {
    Market market();

    Series series(int argument);

    /** A number of bars: whole and at least 1. */
    int bars(int argument);

    double number(int argument);

    /** What recursive averages start with. */
    Seeding seeding();
  }
}
