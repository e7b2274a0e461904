package dev.imker.charts.strategy;

import dev.imker.charts.market.Market;
import dev.imker.charts.strategy.StrategyRunner.Span;

/** One pass over the bars of a market. */
final class Walk {
  /** Where in its bar a fill happens. */
  private enum Moment {
    OPEN,
    INSIDE,
    CLOSE
  }

  private final Market market;
  private final boolean atNextOpen;
  private final Span span;
  private final TradingAccount account;
  private final Holding holding = new Holding();

  /** The next bar whose close may give a signal. */
  private int bar;

  /** The next bar to be valued while a position is open. */
  private int valued;

  /** The next bar in which the orders of the position work. */
  private int worked;

  private Moment entered = Moment.OPEN;

  /** Signals that the position was made of. */
  private int entries;

  /** The orders of the position. */
  private RestingOrders orders = RestingOrders.NONE;

  Walk(Market market, Terms terms, Span span, TradingAccount account) {
    this.market = market;
    this.atNextOpen = terms.execution() == Terms.Execution.NEXT_OPEN;
    this.span = span;
    this.account = account;
    this.bar = span.firstBar();
  }

  void leg(Rules rules, int first, int last, boolean closeAtEnd) {
    bar = Math.max(bar, first);
    if (holding.isOpen()) {
      guardBy(rules.side(holding.isLong).orders());
    }
    while (bar <= last && !account.isRuined()) {
      if (holding.isOpen()) {
        hold(rules, last, closeAtEnd);
      } else {
        search(rules, last, closeAtEnd);
      }
    }
    if (closeAtEnd && holding.isOpen() && !value(last - 1)) {
      leave(last, market.close()[last], last, "end of window");
    }
  }

  private void guardBy(RestingOrders next) {
    next.takeOver(orders);
    orders = next;
  }

  void end() {
    if (holding.isOpen() && !value(span.lastBar())) {
      account.leaveOpen(span.lastBar());
    }
  }

  // ---------------------------------------------------------------- without a position

  private void search(Rules rules, int last, boolean closeAtEnd) {
    int from = Math.max(bar, rules.warmUp());
    int longSignal = rules.longSide().enter().first(from, last, holding);
    int shortLast = longSignal < 0 ? last : longSignal - 1;
    int shortSignal = rules.shortSide().enter().first(from, shortLast, holding);
    boolean isLong = shortSignal < 0;
    int signal = isLong ? longSignal : shortSignal;
    bar = last + 1;
    if (signal >= 0) {
      enter(rules, signal, isLong, closeAtEnd ? last : span.lastBar());
    }
  }

  private void enter(Rules rules, int signal, boolean isLong, int latestFill) {
    RestingOrders.Entry order = rules.side(isLong).orders().entry();
    bar = signal + 1;
    if (order != null) {
      rest(rules, order, signal, isLong, latestFill);
      return;
    }
    int fill = atNextOpen ? signal + 1 : signal;
    if (fill <= latestFill) {
      double price = atNextOpen ? market.open()[fill] : market.close()[fill];
      enter(rules, fill, price, isLong, atNextOpen ? Moment.OPEN : Moment.CLOSE, true);
    }
  }

  /** An order stays in the market until it is filled, is too old, or a newer signal replaces it. */
  private void rest(
      Rules rules, RestingOrders.Entry order, int signal, boolean isLong, int latestFill) {
    for (int at = signal + 1; at <= Math.min(signal + order.bars(), latestFill); at++) {
      double price = order.fill(market, signal, at, isLong);
      if (!Double.isNaN(price)) {
        Moment moment = price == market.open()[at] ? Moment.OPEN : Moment.INSIDE;
        bar = at;
        enter(rules, at, price, isLong, moment, order.stop());
        return;
      }
      bar = at;
      if (rules.longSide().enter().holds(at, holding)
          || rules.shortSide().enter().holds(at, holding)) {
        return;
      }
    }
  }

  private void enter(
      Rules rules, int fill, double price, boolean isLong, Moment moment, boolean slips) {
    int known = moment == Moment.CLOSE ? fill : fill - 1;
    if (!account.enter(fill, price, isLong, known, slips)) {
      return;
    }
    holding.isLong = isLong;
    holding.entryBar = fill;
    holding.entryPrice = account.entryPrice();
    entered = moment;
    entries = 1;
    valued = fill;
    worked = moment == Moment.CLOSE ? fill + 1 : fill;
    orders = rules.side(isLong).orders();
    orders.opened(isLong, account.entryPrice(), known);
  }

  // ---------------------------------------------------------------- with one

  /** Holds the position until the leg's last bar or the first signal or order that ends it. */
  private void hold(Rules rules, int last, boolean closeAtEnd) {
    boolean isLong = holding.isLong;
    Rules.Side side = rules.side(isLong);
    int latestFill = closeAtEnd ? last : span.lastBar();
    int latest = Math.min(last, atNextOpen ? latestFill - 1 : last);
    int from = Math.max(bar, entered == Moment.CLOSE ? holding.entryBar + 1 : holding.entryBar);
    int signal = side.exit().first(from, latest, holding);
    int more =
        entries < rules.terms().entries()
            ? side.enter().first(from, signal < 0 ? latest : signal - 1, holding)
            : -1;
    if (more >= 0) {
      add(more);
      return;
    }
    if (orders.guardPosition() && work(signal < 0 ? last : signal)) {
      return;
    }
    bar = signal < 0 ? last + 1 : signal + 1;
    if (signal < 0) {
      value(closeAtEnd ? last - 1 : last);
      return;
    }
    if (value(atNextOpen ? signal : signal - 1)) {
      return;
    }
    int fill = atNextOpen ? signal + 1 : signal;
    double price = atNextOpen ? market.open()[fill] : market.close()[fill];
    leave(fill, price, signal, side.reason(signal, holding));
    if (signal >= rules.warmUp()
        && !account.isRuined()
        && rules.side(!isLong).enter().holds(signal, holding)) {
      enter(rules, signal, !isLong, latestFill); // the same signal turns the position round
    }
  }

  /** A further signal to enter; the levels of orders stay. */
  private void add(int signal) {
    if (orders.guardPosition() && work(signal)) {
      return;
    }
    bar = signal + 1;
    if (value(atNextOpen ? signal : signal - 1)) {
      return;
    }
    int fill = atNextOpen ? signal + 1 : signal;
    double price = atNextOpen ? market.open()[fill] : market.close()[fill];
    if (account.add(fill, price, signal)) {
      entries++;
      holding.entryPrice = account.entryPrice();
    }
  }

  /** Lets the orders work until a bar; returns whether they ended the position. */
  private boolean work(int last) {
    for (; worked <= last; worked++) {
      boolean inside = worked == holding.entryBar && entered == Moment.INSIDE;
      RestingOrders.Fill fill = orders.next(market, worked, inside);
      while (fill != null) {
        if (value(worked - 1)) {
          return true;
        }
        Leaving leaving = new Leaving(fill.price(), fill.atAnyPrice(), worked - 1, fill.reason());
        if (account.covers(fill.share())) {
          account.reduce(worked, fill.share(), leaving);
        } else {
          account.exit(worked, leaving);
          closed(worked);
          bar = worked; // its close may give a signal to enter again
          return true;
        }
        fill = orders.next(market, worked, inside);
      }
      orders.ended(market, worked, inside);
    }
    return false;
  }

  private void leave(int fill, double price, int lastHeldBar, String reason) {
    account.exit(fill, new Leaving(price, true, lastHeldBar, reason));
    closed(fill);
  }

  private void closed(int fill) {
    holding.entryBar = Holding.NEVER;
    holding.lastExitBar = fill;
  }

  /** Values the position up to a bar; returns whether that was the account's ruin. */
  private boolean value(int last) {
    int ruin = account.hold(valued, last);
    valued = Math.max(valued, last + 1);
    if (ruin < 0) {
      return false;
    }
    account.liquidate(ruin);
    holding.entryBar = Holding.NEVER;
    return true;
  }
}
