package dev.imker.tasks.charts;

/**
 * The candles of a market, oldest first. The arrays are the indicator's own.
 *
 * @param times seconds since 1970 by the clock of the market; of daily candles, midnight
 */
@SuppressWarnings("ArrayRecordComponent") // large, and never compared
public record Candles(
    String market,
    long[] times,
    double[] open,
    double[] high,
    double[] low,
    double[] close,
    double[] volume) {
  /** The number of candles. */
  public int bars() {
    return times.length;
  }
}
