package dev.imker.charts.strategy;

import dev.imker.charts.market.Market;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Money, position and the running sums behind the figures, for one run over one market. */
final class TradingAccount {
  private static final double DAYS_PER_YEAR = 365.25;
  private static final double MAX_PROFIT_FACTOR = 1000;
  private static final double ROUNDING = 1e-9;

  private final Market market;
  private Terms terms;
  private final int firstBar;
  private final double capital;
  private double feeRate;
  private double feeFixed;
  private double slippage;
  private double borrowPerDay;
  private final double[] marketGains;
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
  private double sumOfProducts;
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
  private int cutOrders;
  private int borrowedUntil;

  // The sums as they were before the bar that was marked last: it may be marked again.
  private int markedBar = -1;
  private double equityBefore;
  private double peakBefore;
  private double deepestBefore;
  private double returnsBefore;
  private double squaresBefore;
  private double lossSquaresBefore;
  private double productsBefore;

  TradingAccount(Market market, Terms bound, int firstBar, int lastBar, boolean detailed) {
    this.market = market;
    this.marketGains = market.gains().gains();
    this.terms = bound;
    this.firstBar = firstBar;
    this.capital = bound.capital();
    use(bound);
    this.trades = detailed ? new ArrayList<>() : null;
    this.curve = detailed ? new double[lastBar - firstBar + 1] : null;
    if (curve != null) {
      Arrays.fill(curve, Double.NaN);
    }
    this.cash = capital;
    this.equity = cash;
    this.peak = cash;
  }

  /** Fills, sizes and charges by these terms from now on. */
  void use(Terms bound) {
    double[] none = {};
    terms = bound;
    feeRate = bound.feePercent().at(none) / 100;
    feeFixed = bound.feeFixed().at(none);
    slippage = bound.slippagePercent().at(none) / 100;
    borrowPerDay = bound.borrowPercent() / 100 / DAYS_PER_YEAR;
  }

  boolean isRuined() {
    return equity <= 0;
  }

  /** Enters at a price of the market; false if the account cannot afford anything. */
  boolean enter(int bar, double marketPrice, boolean isLong) {
    double price = marketPrice * (isLong ? 1 + slippage : 1 - slippage);
    double size = affordable(size(price), price);
    if (!(size > 0)) {
      return false;
    }
    cashBefore = cash;
    entryBar = bar;
    borrowedUntil = bar;
    entryPrice = price;
    units = isLong ? size : -size;
    entryFee = fee(price, size);
    cash -= units * price + entryFee;
    return true;
  }

  /** The price at which the position was entered, which the stops start from. */
  double entryPrice() {
    return entryPrice;
  }

  /** Orders that were cut because they were larger than the account allows. */
  int cutOrders() {
    return cutOrders;
  }

  private double affordable(double size, double price) {
    double most = units(cash * terms.leverage(), price);
    if (size <= most * (1 + ROUNDING)) {
      return size;
    }
    cutOrders++;
    return terms.wholeUnits() ? Math.floor(most) : most;
  }

  /** How many units so much money buys, fees included. */
  private double units(double money, double price) {
    double size = (money - feeFixed) / (price * (1 + feeRate));
    boolean cheap = feeRate * price * size + feeFixed < terms.feeMinimum();
    return cheap ? (money - terms.feeMinimum()) / price : size;
  }

  private double fee(double price, double size) {
    return Math.max(terms.feeMinimum(), feeRate * price * size + feeFixed);
  }

  /** A short position is charged for the days since it was charged last, at the last close. */
  private void borrow(int bar) {
    if (units < 0 && borrowPerDay > 0 && bar > borrowedUntil) {
      int days = market.epochDays()[bar] - market.epochDays()[borrowedUntil];
      double cost = -units * market.close()[bar - 1] * borrowPerDay * days;
      cash -= cost;
      entryFee += cost;
      borrowedUntil = bar;
    }
  }

  private double size(double price) {
    double[] none = {};
    double amount = terms.sizing().amount().at(none);
    double size =
        switch (terms.sizing().kind()) {
          case EQUITY_PERCENT -> units(cash * amount / 100, price);
          case CASH -> units(Math.min(amount, cash), price);
          case UNITS -> amount;
          case RISK_PERCENT -> cash * amount / (price * terms.sizing().stopPercent().at(none));
        };
    return terms.wholeUnits() ? Math.floor(size) : size;
  }

  /** Values the position at the closes of the bars; returns the bar of ruin, or -1. */
  int hold(int from, int to) {
    double[] close = market.close();
    for (int bar = from; bar <= to; bar++) {
      borrow(bar);
      mark(bar, cash + units * close[bar]);
      barsHeld++;
      if (equity <= 0) {
        return bar;
      }
    }
    return -1;
  }

  private void mark(int bar, double value) {
    rememberOrRestore(bar);
    double gain = value / equity - 1;
    equity = value;
    sumOfReturns += gain;
    sumOfSquares += gain * gain;
    sumOfProducts += bar == firstBar ? 0 : gain * marketGains[bar];
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

  /** A bar on which one position ends and the next begins counts once, with its last value. */
  private void rememberOrRestore(int bar) {
    if (bar == markedBar) {
      equity = equityBefore;
      peak = peakBefore;
      deepest = deepestBefore;
      sumOfReturns = returnsBefore;
      sumOfSquares = squaresBefore;
      sumOfLossSquares = lossSquaresBefore;
      sumOfProducts = productsBefore;
      return;
    }
    markedBar = bar;
    equityBefore = equity;
    peakBefore = peak;
    deepestBefore = deepest;
    returnsBefore = sumOfReturns;
    squaresBefore = sumOfSquares;
    lossSquaresBefore = sumOfLossSquares;
    productsBefore = sumOfProducts;
  }

  /** Leaves at a price of the market; the bar is marked with the money left. */
  void exit(int bar, double marketPrice) {
    borrow(bar);
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
    double riskFree = CurveFigures.riskFreePerBar(terms, barsPerYear);
    CurveFigures.Moments moments =
        isRuined()
            ? CurveFigures.Moments.ofRuin(bars)
            : CurveFigures.Moments.of(bars, sumOfReturns, sumOfSquares, sumOfLossSquares);
    double growth = Math.max(0, equity) / capital;
    double cagr = Math.pow(growth, 1 / years) - 1;
    double[] f = new double[Figure.values().length];
    f[Figure.TOTAL_RETURN.ordinal()] = growth - 1;
    f[Figure.CAGR.ordinal()] = cagr;
    f[Figure.MAX_DRAWDOWN.ordinal()] = Math.min(1, deepest);
    f[Figure.SHARPE.ordinal()] = moments.sharpe(riskFree) * Math.sqrt(barsPerYear);
    f[Figure.SORTINO.ordinal()] = moments.sortino(riskFree) * Math.sqrt(barsPerYear);
    f[Figure.CALMAR.ordinal()] = quotient(cagr, Math.min(1, deepest));
    f[Figure.VOLATILITY.ordinal()] = moments.deviation() * Math.sqrt(barsPerYear);
    f[Figure.WIN_RATE.ordinal()] = quotient(won, closed);
    f[Figure.PROFIT_FACTOR.ordinal()] = profitFactor();
    f[Figure.EXPOSURE.ordinal()] = (double) barsHeld / bars;
    f[Figure.TRADES.ordinal()] = closed;
    f[Figure.AVERAGE_TRADE.ordinal()] = quotient(profitRates, closed);
    f[Figure.FEES.ordinal()] = feesPaid;
    f[Figure.FINAL_EQUITY.ordinal()] = Math.max(0, equity);
    f[Figure.BUY_AND_HOLD.ordinal()] = market.close()[lastBar] / market.close()[firstBar] - 1;
    CurveFigures.compare(
        f, market.gains(), firstBar, lastBar, moments, sumOfProducts, riskFree, barsPerYear);
    return f;
  }

  private static double quotient(double a, double b) {
    return b == 0 ? 0 : a / b;
  }

  private double profitFactor() {
    return profits == 0 ? 0 : Math.min(MAX_PROFIT_FACTOR, profits / losses);
  }

  List<Trade> trades() {
    return trades == null ? List.of() : List.copyOf(trades);
  }

  /** The account at the close of every bar; empty unless detailed. */
  double[] curve() {
    if (curve == null) {
      return new double[0];
    }
    double last = capital;
    for (int i = 0; i < curve.length; i++) {
      last = Double.isNaN(curve[i]) ? last : Math.max(0, curve[i]);
      curve[i] = last;
    }
    return curve;
  }
}
