package dev.imker.charts.strategy;

import java.util.List;

/**
 * A strategy with its numbers, made ready for one market.
 *
 * @param risk what the sizes depend on, per bar; empty if they depend on nothing
 * @param preference of a market among others
 */
record Rules(
    Side longSide, Side shortSide, Terms terms, double[] risk, Preference preference, int warmUp) {
  /** By which a market is chosen among others, and how much it moves; empty if not wanted. */
  record Preference(double[] rank, double[] volatility) {
    static final Preference NONE = new Preference(new double[0], new double[0]);
  }

  /**
   * @param reasons the parts of the exit, to tell which of them held
   */
  record Side(Condition enter, Condition exit, RestingOrders orders, List<Reason> reasons) {
    String reason(int bar, Holding holding) {
      for (Reason reason : reasons) {
        if (reason.condition().holds(bar, holding)) {
          return reason.name();
        }
      }
      return "";
    }
  }

  /** A part of an exit and what it is called. */
  record Reason(String name, Condition condition) {}

  Side side(boolean isLong) {
    return isLong ? longSide : shortSide;
  }
}
