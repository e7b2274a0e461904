package dev.imker.charts.strategy;

/** What a rule may know of the position while bars go by. One per run, reused for every trade. */
final class Holding {
  static final int NEVER = -1;

  boolean isLong;
  int entryBar = NEVER;
  double entryPrice;
  int lastExitBar = NEVER;

  boolean isOpen() {
    return entryBar != NEVER;
  }
}
