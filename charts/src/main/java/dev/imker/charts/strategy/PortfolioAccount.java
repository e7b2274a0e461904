package dev.imker.charts.strategy;

import dev.imker.charts.outcome.Trade;
import java.util.ArrayList;
import java.util.List;

/** The money that a portfolio shares, and what it trades for it. */
final class PortfolioAccount {
  private static final double ROUNDING = 1e-9;

  private final List<Seat> seats;
  private final List<Trade> trades = new ArrayList<>();
  private Terms terms;
  private double cash;
  private int cutOrders;

  PortfolioAccount(List<Seat> seats, Terms terms) {
    this.seats = seats;
    this.terms = terms;
    this.cash = terms.capital();
  }

  /** Sizes and charges by these terms from now on. */
  void use(Terms bound) {
    terms = bound;
  }

  /** Where in time and price an order is filled. */
  record Fill(int day, int bar, double marketPrice, boolean atClose) {
    /** The last bar that was gone through as a whole before. */
    int lastHeldBar() {
      return atClose ? bar : bar - 1;
    }
  }

  /** The account, with the prices that each position is valued by. */
  double equity(double[] prices) {
    double equity = cash;
    for (Seat seat : seats) {
      equity += seat.value(prices[seat.place]);
    }
    return equity;
  }

  private double gross(double[] prices) {
    return seats.stream().mapToDouble(seat -> Math.abs(seat.value(prices[seat.place]))).sum();
  }

  /** Takes in dividends, and pays for what is sold short; before anything else of a bar. */
  void carry(Seat seat, int bar) {
    cash += seat.carry(bar);
  }

  void leave(Seat seat, Fill fill, String reason) {
    reduce(seat, Math.abs(seat.units), fill, reason);
  }

  private void reduce(Seat seat, double size, Fill fill, String reason) {
    double price = fill.marketPrice() * (seat.units > 0 ? 1 - slippage() : 1 + slippage());
    double fee = fee(price, size);
    cash += (seat.units > 0 ? size : -size) * price - fee;
    Leaving leaving = new Leaving(fill.marketPrice(), true, fill.lastHeldBar(), reason);
    trades.add(seat.take(size, price, fee, fill.day(), fill.bar(), leaving, false));
  }

  /** Values a position that stays open at the end. */
  void leaveOpen(Seat seat, int day, int bar, String reason) {
    double price = seat.market.close()[bar];
    cash += seat.value(price);
    Leaving leaving = new Leaving(price, false, bar, reason);
    boolean open = reason.isEmpty();
    trades.add(seat.take(Math.abs(seat.units), price, 0, day, bar, leaving, open));
  }

  /** Sells what is above the weight of a position. */
  void trim(Seat seat, Fill fill, double money) {
    double above = Math.abs(seat.value(fill.marketPrice())) - money;
    double size = whole(above / fill.marketPrice());
    if (above > money * ROUNDING && size > 0) {
      reduce(seat, Math.min(size, Math.abs(seat.units)), fill, "rebalanced");
    }
  }

  /** Buys, or sells short, up to so much money; never more than the account allows. */
  void add(Seat seat, Fill fill, boolean isLong, double money, double[] prices) {
    double price = fill.marketPrice() * (isLong ? 1 + slippage() : 1 - slippage());
    double missing = money - Math.abs(seat.value(fill.marketPrice()));
    double room = terms.leverage() * equity(prices) - gross(prices);
    double wanted = whole(units(missing, price));
    double most = whole(units(room, price));
    double size = wanted;
    if (wanted > most * (1 + ROUNDING)) {
      size = most;
      cutOrders++;
    }
    if (missing > money * ROUNDING && size > 0) {
      double fee = fee(price, size);
      double signed = isLong ? size : -size;
      cash -= signed * price + fee;
      seat.add(signed, price, fee, fill.day(), fill.bar(), fill.atClose());
    }
  }

  private double whole(double size) {
    return terms.wholeUnits() ? Math.floor(size) : size;
  }

  /** How many units so much money buys, fees included. */
  private double units(double money, double price) {
    double size = (money - feeFixed()) / (price * (1 + feeRate()));
    boolean cheap = feeRate() * price * size + feeFixed() < terms.feeMinimum();
    return Math.max(0, cheap ? (money - terms.feeMinimum()) / price : size);
  }

  private double fee(double price, double size) {
    return Math.max(terms.feeMinimum(), feeRate() * price * size + feeFixed());
  }

  private static final double[] NONE = {};

  private double feeRate() {
    return terms.feePercent().at(NONE) / 100;
  }

  private double feeFixed() {
    return terms.feeFixed().at(NONE);
  }

  private double slippage() {
    return terms.slippagePercent().at(NONE) / 100;
  }

  /** The share of the account that all positions together may be worth. */
  double share() {
    return terms.sizing().amount().at(NONE) / 100;
  }

  List<Trade> trades() {
    return trades;
  }

  int cutOrders() {
    return cutOrders;
  }
}
