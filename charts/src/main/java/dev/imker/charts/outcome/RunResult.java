package dev.imker.charts.outcome;

import java.util.List;

/**
 * What came out of one run.
 *
 * @param figures by {@link Figure#ordinal()}
 * @param trades empty unless the run was detailed
 * @param curve the account at the close of every bar; empty unless the run was detailed
 * @param warmUpBars bars at the start of the market in which no signal counted
 * @param cutOrders orders that were larger than the account allows and were made smaller
 */
public record RunResult(
    double[] figures, List<Trade> trades, double[] curve, int warmUpBars, int cutOrders) {
  public double figure(Figure figure) {
    return figures[figure.ordinal()];
  }
}
