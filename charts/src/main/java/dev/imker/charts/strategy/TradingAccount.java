package dev.imker.charts.strategy;

import dev.imker.charts.market.Market;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.outcome.Trade;
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
  private double[] risk = {};
  private final int firstBar;
  private final double capital;
  private double feeRate;
  private double feeFixed;
  private double slippage;
  private double borrowPerDay;

  /** Whether holding a position costs or brings anything. */
  private boolean carries;

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
  private double dividendsPaid;
  private int entryBar;
  private int firstHeldBar;
  private double entryUnits;
  private double entryPrice;
  private double cashBefore;
  private double entryFee;

  /** Dividends of the position that no trade has told of yet. */
  private double dividends;

  private int cutOrders;
  private int carriedUntil;

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
    use(bound, risk);
    this.trades = detailed ? new ArrayList<>() : null;
    this.curve = detailed ? new double[lastBar - firstBar + 1] : null;
    if (curve != null) {
      Arrays.fill(curve, Double.NaN);
    }
    this.cash = capital;
    this.equity = cash;
    this.peak = cash;
  }

  /**
   * Fills, sizes and charges by these terms from now on.
   *
   * @param riskPerBar what the sizes depend on
   */
  void use(Terms bound, double[] riskPerBar) {
    double[] none = {};
    risk = riskPerBar;
    terms = bound;
    feeRate = bound.feePercent().at(none) / 100;
    feeFixed = bound.feeFixed().at(none);
    slippage = bound.slippagePercent().at(none) / 100;
    borrowPerDay = bound.borrowPercent() / 100 / DAYS_PER_YEAR;
    carries = borrowPerDay > 0 || market.pays();
  }

  boolean isRuined() {
    return equity <= 0;
  }

  /**
   * Enters at a price of the market; false if the account cannot afford anything.
   *
   * @param known the last bar whose close is known
   * @param slips whether the price is worse than that of the market
   */
  boolean enter(int bar, double marketPrice, boolean isLong, int known, boolean slips) {
    double worse = slips ? slippage : 0;
    double price = marketPrice * (isLong ? 1 + worse : 1 - worse);
    double size = affordable(size(price, known, cash), cash * terms.leverage(), price);
    if (!(size > 0)) {
      return false;
    }
    cashBefore = cash;
    entryBar = bar;
    carriedUntil = bar;
    entryPrice = price;
    firstHeldBar = bar == known ? bar + 1 : bar;
    entryUnits = size;
    units = isLong ? size : -size;
    entryFee = fee(price, size);
    cash -= units * price + entryFee;
    return true;
  }

  /**
   * Adds to the position at a price of the market, as much as {@link #enter} would take with what
   * the account is worth; the price of entry becomes the mean. False if nothing can be afforded.
   */
  boolean add(int bar, double marketPrice, int known) {
    carry(bar);
    boolean isLong = units > 0;
    double price = marketPrice * (isLong ? 1 + slippage : 1 - slippage);
    double held = Math.abs(units);
    double worth = cash + units * marketPrice;
    double room = worth * terms.leverage() - held * marketPrice;
    boolean isFull = room <= worth * ROUNDING;
    double size = isFull ? 0 : affordable(size(price, known, worth), room, price);
    if (!(size > 0)) {
      return false;
    }
    double fee = fee(price, size);
    entryPrice = (entryPrice * held + price * size) / (held + size);
    entryUnits += size;
    entryFee += fee;
    units += isLong ? size : -size;
    cash -= (isLong ? size : -size) * price + fee;
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

  private double affordable(double size, double room, double price) {
    if (!(size > 0)) {
      return 0;
    }
    double most = units(room, price);
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

  /**
   * What holding the position brought and cost since it was asked last: dividends of what was held
   * before their bar, and for a short position borrowing by days, at the last close.
   */
  private void carry(int bar) {
    if (!carries || bar <= carriedUntil) {
      return;
    }
    double paid = units * market.dividends(carriedUntil, bar);
    cash += paid;
    dividends += paid;
    if (units < 0) {
      int days = market.epochDays()[bar] - market.epochDays()[carriedUntil];
      double cost = -units * market.close()[bar - 1] * borrowPerDay * days;
      cash -= cost;
      entryFee += cost;
    }
    carriedUntil = bar;
  }

  private double size(double price, int known, double worth) {
    double[] none = {};
    Terms.Sizing sizing = terms.sizing();
    double amount = sizing.amount().at(none);
    double second = sizing.second().at(none);
    double size =
        switch (sizing.kind()) {
          case EQUITY_PERCENT -> units(worth * amount / 100, price);
          case CASH -> units(Math.min(amount, worth), price);
          case UNITS -> amount;
          case RISK_PERCENT -> worth * amount / (price * second);
          case ATR_RISK_PERCENT -> worth * amount / 100 / (second * risk(known));
          case VOLATILITY_PERCENT -> units(worth * amount / 100 / risk(known), price);
          case KELLY -> units(worth * kelly(amount, second / 100, sizing.bars().at(none)), price);
        };
    return terms.wholeUnits() ? Math.floor(size) : size;
  }

  /** Nothing is entered while it has no value yet. */
  private double risk(int known) {
    return known < 0 || !(risk[known] > 0) ? Double.NaN : risk[known];
  }

  /** The share of the account by Kelly's formula: p - (1 - p) / (mean gain / mean loss). */
  private double kelly(double part, double before, double needed) {
    if (closed < needed) {
      return before;
    }
    double winning = (double) won / closed;
    if (losses == 0 || won == 0) {
      return won == 0 ? 0 : part;
    }
    double odds = profits / won / (losses / (closed - won));
    return part * Math.max(0, winning - (1 - winning) / odds);
  }

  /** Values the position at the closes of the bars; returns the bar of ruin, or -1. */
  int hold(int from, int to) {
    double[] close = market.close();
    for (int bar = from; bar <= to; bar++) {
      carry(bar);
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

  /** Whether so much of the position as it was entered is less than what is left of it. */
  boolean covers(double share) {
    return share >= 0 && share * entryUnits < Math.abs(units) * (1 - ROUNDING);
  }

  /** Leaves with a share of the position as it was entered. */
  void reduce(int bar, double share, Leaving leaving) {
    double price = left(bar, leaving);
    double part = terms.wholeUnits() ? Math.floor(share * entryUnits) : share * entryUnits;
    if (part > 0) {
      settle(bar, price, part, fee(price, part), false, leaving);
    }
  }

  /** Leaves the position; the bar is marked with the money left. */
  void exit(int bar, Leaving leaving) {
    double price = left(bar, leaving);
    double size = Math.abs(units);
    settle(bar, price, size, fee(price, size), false, leaving);
    mark(bar, cash);
  }

  private double left(int bar, Leaving leaving) {
    carry(bar);
    double worse = leaving.slips() ? slippage : 0;
    return leaving.price() * (units > 0 ? 1 - worse : 1 + worse);
  }

  /** The position has eaten up the account: it ends at the close, without fees nobody could pay. */
  void liquidate(int bar) {
    atClose(bar, false, "ruin");
  }

  /** Values the position that stays open at the end. */
  void leaveOpen(int bar) {
    atClose(bar, true, "");
  }

  private void atClose(int bar, boolean open, String reason) {
    double price = market.close()[bar];
    settle(bar, price, Math.abs(units), 0, open, new Leaving(price, false, bar, reason));
  }

  private void settle(
      int bar, double price, double size, double exitFee, boolean open, Leaving leaving) {
    boolean whole = size == Math.abs(units);
    double costs = whole ? entryFee : entryFee * size / Math.abs(units);
    double paid = whole ? dividends : dividends * size / Math.abs(units);
    double signed = units > 0 ? size : -size;
    cash += signed * price - exitFee;
    double profit =
        whole ? cash - cashBefore : signed * (price - entryPrice) + paid - costs - exitFee;
    double rate = profit / (size * entryPrice);
    if (!open) {
      closed++;
      won += profit > 0 ? 1 : 0;
      profits += Math.max(profit, 0);
      losses += Math.max(-profit, 0);
      profitRates += rate;
    }
    feesPaid += costs + exitFee;
    dividendsPaid += paid;
    if (trades != null) {
      double[] reached = reached(price, leaving.lastHeldBar());
      trades.add(
          new Trade(
              market.name(),
              units > 0 ? "long" : "short",
              entryBar,
              market.when(entryBar),
              entryPrice,
              bar,
              market.when(bar),
              price,
              size,
              costs + exitFee,
              paid,
              profit,
              rate,
              open,
              leaving.reason(),
              reached[0],
              reached[1]));
    }
    units = whole ? 0 : units - signed;
    entryFee -= costs;
    dividends -= paid;
    cashBefore += profit;
  }

  /** How far the price went against the position and in its favour, as shares. */
  private double[] reached(double exitPrice, int lastHeldBar) {
    double low = Math.min(entryPrice, exitPrice);
    double high = Math.max(entryPrice, exitPrice);
    for (int bar = firstHeldBar; bar <= lastHeldBar; bar++) {
      low = Math.min(low, market.low()[bar]);
      high = Math.max(high, market.high()[bar]);
    }
    double fall = low / entryPrice - 1;
    double rise = high / entryPrice - 1;
    return units > 0 ? new double[] {fall, rise} : new double[] {-rise, -fall};
  }

  /** The figures over the bars of the run, by {@link Figure#ordinal()}. */
  double[] figures(int lastBar) {
    int bars = lastBar - firstBar + 1;
    double years = Math.max(market.daysBetween(firstBar, lastBar), 1) / DAYS_PER_YEAR;
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
    f[Figure.DIVIDENDS.ordinal()] = dividendsPaid;
    f[Figure.FINAL_EQUITY.ordinal()] = Math.max(0, equity);
    f[Figure.BUY_AND_HOLD.ordinal()] = market.growth(firstBar, lastBar) - 1;
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
