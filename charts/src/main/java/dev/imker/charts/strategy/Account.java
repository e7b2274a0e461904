package dev.imker.charts.strategy;

import dev.imker.charts.market.Market;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Money, position and the running sums behind the figures, for one run over one market. */
final class Account {
  private static final double DAYS_PER_YEAR = 365.25;
  private static final double MOST_PROFIT_FACTOR = 1000;

  private final Market market;
  private final Terms terms;
  private final int firstBar;
  private final double feeRate;
  private final double feeFixed;
  private final double slippage;
  private final @Nullable List<Trade> trades;
  private final double @Nullable [] curve;

  private double cash;
  private double units;
  private double equity;
  private double peak;
  private double deepest;
  private double sumOfReturns;
  private double sumOfSquares;
  private double sumOfLossSquares;
  private int barsHeld;
  private int closed;
  private int won;
  private double profits;
  private double losses;
  private double profitRates;
  private double feesPaid;
  private int entryBar;
  private double entryPrice;
  private double cashBefore;
  private double entryFee;

  Account(Market market, Terms bound, int firstBar, int lastBar, boolean detailed) {
    double[] none = {};
    this.market = market;
    this.terms = bound;
    this.firstBar = firstBar;
    this.feeRate = bound.feePercent().at(none) / 100;
    this.feeFixed = bound.feeFixed().at(none);
    this.slippage = bound.slippagePercent().at(none) / 100;
    this.trades = detailed ? new ArrayList<>() : null;
    this.curve = detailed ? new double[lastBar - firstBar + 1] : null;
    if (curve != null) {
      Arrays.fill(curve, Double.NaN);
    }
    this.cash = bound.capital();
    this.equity = cash;
    this.peak = cash;
  }

  boolean isRuined() {
    return equity <= 0;
  }

  /** Enters at a price of the market; false if the account cannot afford anything. */
  boolean enter(int bar, double marketPrice, boolean isLong) {
    double price = marketPrice * (isLong ? 1 + slippage : 1 - slippage);
    double size = size(price);
    if (!(size > 0)) {
      return false;
    }
    cashBefore = cash;
    entryBar = bar;
    entryPrice = price;
    units = isLong ? size : -size;
    entryFee = fee(price, size);
    cash -= units * price + entryFee;
    return true;
  }

  /** The price of entry with the fees per unit on top, which the stops start from. */
  double netEntryPrice() {
    return entryPrice + entryFee / units;
  }

  private double fee(double price, double size) {
    return feeRate * price * size + feeFixed;
  }

  private double size(double price) {
    double[] none = {};
    double amount = terms.sizing().amount().at(none);
    double size =
        switch (terms.sizing().kind()) {
          case EQUITY_PERCENT -> (cash * amount / 100 - feeFixed) / (price * (1 + feeRate));
          case CASH -> (Math.min(amount, cash) - feeFixed) / (price * (1 + feeRate));
          case UNITS -> amount;
          case RISK_PERCENT -> cash * amount / (price * terms.sizing().stopPercent().at(none));
        };
    return terms.wholeUnits() ? Math.floor(size) : size;
  }

  /** Values the position at the closes of the bars; returns the bar of ruin, or -1. */
  int hold(int from, int to) {
    double[] close = market.close();
    for (int bar = from; bar <= to; bar++) {
      mark(bar, cash + units * close[bar]);
      barsHeld++;
      if (equity <= 0) {
        return bar;
      }
    }
    return -1;
  }

  private void mark(int bar, double value) {
    double gain = value / equity - 1;
    equity = value;
    sumOfReturns += gain;
    sumOfSquares += gain * gain;
    if (gain < 0) {
      sumOfLossSquares += gain * gain;
      deepest = Math.max(deepest, 1 - value / peak);
    } else if (value > peak) {
      peak = value;
    }
    if (curve != null) {
      curve[bar - firstBar] = value;
    }
  }

  /** Leaves at a price of the market; the bar is marked with the money left. */
  void exit(int bar, double marketPrice) {
    double price = marketPrice * (units > 0 ? 1 - slippage : 1 + slippage);
    double exitFee = fee(price, Math.abs(units));
    settle(bar, price, exitFee, false);
    mark(bar, cash);
  }

  /** The position has eaten up the account: it ends at the close, without fees nobody could pay. */
  void liquidate(int bar) {
    settle(bar, market.close()[bar], 0, false);
  }

  /** Values the position that stays open at the end. */
  void leaveOpen(int bar) {
    settle(bar, market.close()[bar], 0, true);
  }

  private void settle(int bar, double price, double exitFee, boolean open) {
    double size = Math.abs(units);
    cash += units * price - exitFee;
    double profit = cash - cashBefore;
    double rate = profit / (size * entryPrice);
    if (!open) {
      closed++;
      won += profit > 0 ? 1 : 0;
      profits += Math.max(profit, 0);
      losses += Math.max(-profit, 0);
      profitRates += rate;
    }
    feesPaid += entryFee + exitFee;
    record(bar, price, size, exitFee, profit, rate, open);
    units = 0;
  }

  private void record(
      int bar,
      double price,
      double size,
      double exitFee,
      double profit,
      double rate,
      boolean open) {
    if (trades != null) {
      trades.add(
          new Trade(
              units > 0 ? "long" : "short",
              entryBar,
              market.date(entryBar).toString(),
              entryPrice,
              bar,
              market.date(bar).toString(),
              price,
              size,
              entryFee + exitFee,
              profit,
              rate,
              open));
    }
  }

  /** The figures over the bars of the run, by {@link Figure#ordinal()}. */
  double[] figures(int lastBar) {
    int bars = lastBar - firstBar + 1;
    int days = market.epochDays()[lastBar] - market.epochDays()[firstBar];
    double years = Math.max(days, 1) / DAYS_PER_YEAR;
    double barsPerYear = bars / years;
    double mean = sumOfReturns / bars;
    double deviation = Math.sqrt(Math.max(0, sumOfSquares / bars - mean * mean));
    double lossDeviation = Math.sqrt(sumOfLossSquares / bars);
    double growth = Math.max(0, equity) / terms.capital();
    double cagr = Math.pow(growth, 1 / years) - 1;
    double[] f = new double[Figure.values().length];
    f[Figure.TOTAL_RETURN.ordinal()] = growth - 1;
    f[Figure.CAGR.ordinal()] = cagr;
    f[Figure.MAX_DRAWDOWN.ordinal()] = Math.min(1, deepest);
    f[Figure.SHARPE.ordinal()] = quotient(mean, deviation) * Math.sqrt(barsPerYear);
    f[Figure.SORTINO.ordinal()] = quotient(mean, lossDeviation) * Math.sqrt(barsPerYear);
    f[Figure.CALMAR.ordinal()] = quotient(cagr, Math.min(1, deepest));
    f[Figure.VOLATILITY.ordinal()] = deviation * Math.sqrt(barsPerYear);
    f[Figure.WIN_RATE.ordinal()] = quotient(won, closed);
    f[Figure.PROFIT_FACTOR.ordinal()] = profitFactor();
    f[Figure.EXPOSURE.ordinal()] = (double) barsHeld / bars;
    f[Figure.TRADES.ordinal()] = closed;
    f[Figure.AVERAGE_TRADE.ordinal()] = quotient(profitRates, closed);
    f[Figure.FEES.ordinal()] = feesPaid;
    f[Figure.FINAL_EQUITY.ordinal()] = Math.max(0, equity);
    f[Figure.BUY_AND_HOLD.ordinal()] = market.close()[lastBar] / market.close()[firstBar] - 1;
    return f;
  }

  private static double quotient(double a, double b) {
    return b == 0 ? 0 : a / b;
  }

  private double profitFactor() {
    return profits == 0 ? 0 : Math.min(MOST_PROFIT_FACTOR, profits / losses);
  }

  List<Trade> trades() {
    return trades == null ? List.of() : List.copyOf(trades);
  }

  /** The account at the close of every bar; empty unless detailed. */
  double[] curve() {
    if (curve == null) {
      return new double[0];
    }
    double last = terms.capital();
    for (int i = 0; i < curve.length; i++) {
      last = Double.isNaN(curve[i]) ? last : Math.max(0, curve[i]);
      curve[i] = last;
    }
    return curve;
  }
}
