package dev.imker.charts.strategy;

import java.util.List;

/**
 * A strategy with its numbers, made ready for one market.
 *
 * @param risk what the sizes depend on, per bar; empty if they depend on nothing
 */
record Rules(Side longSide, Side shortSide, Terms terms, double[] risk, int warmUp) {
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
