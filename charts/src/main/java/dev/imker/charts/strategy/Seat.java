package dev.imker.charts.strategy;

import dev.imker.charts.market.Market;
import dev.imker.charts.outcome.Trade;

/** The position of a portfolio in one of its markets. */
final class Seat {
  private static final double DAYS_PER_YEAR = 365.25;

  final Market market;
  final int place;
  final Holding holding = new Holding();

  /** The rules of the leg, ready for this market. */
  Rules rules;

  /** Units held; below 0 if sold short. */
  double units;

  /** The last bar whose close is known, and that close. */
  int lastBar;

  double lastClose;

  /** What was decided and not filled yet. */
  final Order order = new Order();

  private double averagePrice;
  private double openFees;
  private double openDividends;
  private int entryDay;
  private int firstHeldBar;
  private int carriedUntil;

  Seat(Market market, int place, Rules rules) {
    this.market = market;
    this.place = place;
    this.rules = rules;
  }

  /** What is to be done with the next price. */
  static final class Order {
    /** Why the position is to be left; empty if it is not. */
    String leave = "";

    /** Whether a position is to be entered or brought to its weight. */
    boolean take;

    boolean isLong;
    double weight;

    void clear() {
      leave = "";
      take = false;
    }

    boolean isEmpty() {
      return leave.isEmpty() && !take;
    }
  }

  boolean isOpen() {
    return units != 0;
  }

  /** By what it is preferred; NaN while that is unknown. */
  double rank(int bar) {
    double[] rank = rules.preference().rank();
    return rank.length == 0 ? 0 : rank[bar];
  }

  double value(double price) {
    return units * price;
  }

  /** The dividends since it was asked last, less what borrowing a short position cost. */
  double carry(int bar) {
    if (units == 0 || bar <= carriedUntil) {
      return 0;
    }
    double paid = units * market.dividends(carriedUntil, bar);
    double cost = 0;
    if (units < 0) {
      int days = market.epochDays()[bar] - market.epochDays()[carriedUntil];
      double rate = rules.terms().borrowPercent() / 100 / DAYS_PER_YEAR;
      cost = -units * market.close()[bar - 1] * rate * days;
    }
    carriedUntil = bar;
    openDividends += paid;
    openFees += cost;
    return paid - cost;
  }

  /** Adds to the position or begins one; its price of entry is the mean of all. */
  void add(double signedUnits, double price, double fee, int day, int bar, boolean atClose) {
    if (!isOpen()) {
      entryDay = day;
      firstHeldBar = atClose ? bar + 1 : bar;
      carriedUntil = bar;
      averagePrice = 0;
      openDividends = 0;
      openFees = 0;
      holding.isLong = signedUnits > 0;
      holding.entryBar = bar;
    }
    averagePrice = (averagePrice * units + price * signedUnits) / (units + signedUnits);
    units += signedUnits;
    openFees += fee;
    holding.entryPrice = averagePrice;
  }

  /** Leaves with some of the units; the trade says what came of them. */
  Trade take(
      double size, double price, double fee, int day, int bar, Leaving leaving, boolean open) {
    boolean whole = size >= Math.abs(units);
    double costs = whole ? openFees : openFees * size / Math.abs(units);
    double paid = whole ? openDividends : openDividends * size / Math.abs(units);
    double signed = units > 0 ? size : -size;
    double profit = signed * (price - averagePrice) + paid - costs - fee;
    double[] reached = reached(price, leaving.lastHeldBar());
    Trade trade =
        new Trade(
            market.name(),
            units > 0 ? "long" : "short",
            entryDay,
            market.when(holding.entryBar),
            averagePrice,
            day,
            market.when(bar),
            price,
            size,
            costs + fee,
            paid,
            profit,
            profit / (size * averagePrice),
            open,
            leaving.reason(),
            reached[0],
            reached[1]);
    openFees -= costs;
    openDividends -= paid;
    units = whole ? 0 : units - signed;
    if (whole) {
      holding.entryBar = Holding.NEVER;
      holding.lastExitBar = bar;
    }
    return trade;
  }

  private double[] reached(double price, int lastHeldBar) {
    double low = Math.min(averagePrice, price);
    double high = Math.max(averagePrice, price);
    for (int bar = firstHeldBar; bar <= lastHeldBar; bar++) {
      low = Math.min(low, market.low()[bar]);
      high = Math.max(high, market.high()[bar]);
    }
    double fall = low / averagePrice - 1;
    double rise = high / averagePrice - 1;
    return units > 0 ? new double[] {fall, rise} : new double[] {-rise, -fall};
  }
}
