package dev.imker.charts.outcome;

/**
 * One trade. Dates are ISO; an open trade is valued at the last close.
 *
 * @param market that was traded
 * @param side "long" or "short"
 * @param fees of entry and exit together
 * @param dividends received while it was held; below 0 if paid on a short position
 * @param profit after fees, with dividends
 * @param profitRate profit over the value at entry
 * @param reason what ended it: an order, the rule that held first, or the end of a window; empty
 *     while open
 * @param worst how far the price went against it while it was held, as a share of the price of
 *     entry; not above 0
 * @param best how far the price went in its favour, alike; not below 0
 */
public record Trade(
    String market,
    String side,
    int entryBar,
    String entryDate,
    double entryPrice,
    int exitBar,
    String exitDate,
    double exitPrice,
    double units,
    double fees,
    double dividends,
    double profit,
    double profitRate,
    boolean open,
    String reason,
    double worst,
    double best) {
  public int barsHeld() {
    return exitBar - entryBar;
  }
}
