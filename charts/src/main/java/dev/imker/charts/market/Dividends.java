package dev.imker.charts.market;

import java.util.Arrays;

/**
 * What a market pays in cash.
 *
 * @param sums of all payments on a unit until each bar
 * @param reinvested what becomes of a unit if payments buy more of it at the close of their bar;
 *     only the ratio of two of them means something
 */
record Dividends(double[] sums, double[] reinvested) {
  static Dividends of(double[] paid, double[] close) {
    double[] sums = paid.clone();
    double[] reinvested = close.clone();
    for (int bar = 1; bar < close.length; bar++) {
      sums[bar] += sums[bar - 1]; // one by one: in parallel, the sum depends on the number of cores
      reinvested[bar] = reinvested[bar - 1] * ((close[bar] + paid[bar]) / close[bar - 1]);
    }
    return new Dividends(sums, reinvested);
  }

  Dividends slice(int from, int to) {
    return new Dividends(
        Arrays.copyOfRange(sums, from, to), Arrays.copyOfRange(reinvested, from, to));
  }

  /** As seen by bars of which each ends with one of these. */
  Dividends at(int[] lastBars) {
    return new Dividends(Market.at(sums, lastBars), Market.at(reinvested, lastBars));
  }
}
