package dev.imker.charts.strategy;

import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketGains;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.outcome.Trade;
import java.util.List;

/** Figures of an account that was put together of several runs. */
public final class CurveFigures {
  private static final double DAYS_PER_YEAR = 365.25;

  private CurveFigures() {}

  /** Mean and spread of the returns per bar. */
  record Moments(double mean, double deviation, double lossDeviation) {
    static Moments of(int bars, double sum, double squares, double lossSquares) {
      double mean = sum / bars;
      double deviation = Math.sqrt(Math.max(0, squares / bars - mean * mean));
      return new Moments(mean, deviation, Math.sqrt(lossSquares / bars));
    }

    /**
     * Who lost everything has one return, of minus 100 %: whatever was gained on the way is gone
     * with it.
     */
    static Moments ofRuin(int bars) {
      return of(bars, -1, 1, 1);
    }

    /**
     * @param riskFree what money earns per bar without risk
     */
    double sharpe(double riskFree) {
      return quotient(mean - riskFree, deviation);
    }

    double sortino(double riskFree) {
      return quotient(mean - riskFree, lossDeviation);
    }
  }

  /** What money without risk earns per bar. */
  static double riskFreePerBar(Terms terms, double barsPerYear) {
    return terms.riskFreePercent() / 100 / barsPerYear;
  }

  /** Puts in how an account moved with the market. */
  static void compare(
      double[] figures,
      MarketGains gains,
      int firstBar,
      int lastBar,
      Moments moments,
      double products,
      double riskFree,
      double barsPerYear) {
    double[] compared = gains.betaAndAlpha(firstBar, lastBar, moments.mean(), products, riskFree);
    figures[Figure.BETA.ordinal()] = compared[0];
    figures[Figure.ALPHA.ordinal()] = compared[1] * barsPerYear;
  }

  /**
   * @param capital at the start
   * @param curve the account at the close of every bar
   * @param firstBar of the curve
   * @param boughtAt the bar at whose close the market is bought that the account is compared with:
   *     the first one, or the one before if the account goes on from there
   * @param barsHeld bars with a position
   */
  public static double[] of(
      Terms terms,
      double capital,
      double[] curve,
      Market market,
      int firstBar,
      int boughtAt,
      List<Trade> trades,
      double barsHeld) {
    double[] gains = market.gains().gains();
    int lastBar = firstBar + curve.length - 1;
    double products = 0;
    double sum = 0;
    double squares = 0;
    double lossSquares = 0;
    double peak = capital;
    double deepest = 0;
    double before = capital;
    for (int i = 0; i < curve.length; i++) {
      double value = curve[i];
      double gain = before == 0 ? 0 : value / before - 1;
      sum += gain;
      squares += gain * gain;
      lossSquares += gain < 0 ? gain * gain : 0;
      products += i == 0 ? 0 : gain * gains[firstBar + i];
      peak = Math.max(peak, value);
      deepest = peak <= 0 ? 0 : Math.max(deepest, 1 - value / peak);
      before = value;
    }
    int bars = curve.length;
    double years = Math.max(1, market.daysBetween(firstBar, lastBar)) / DAYS_PER_YEAR;
    double perYear = Math.sqrt(bars / years);
    double riskFree = riskFreePerBar(terms, bars / years);
    Moments moments =
        before <= 0 && capital > 0
            ? Moments.ofRuin(bars)
            : Moments.of(bars, sum, squares, lossSquares);
    double growth = capital <= 0 ? 1 : before / capital; // nothing can become of nothing
    double cagr = Math.pow(growth, 1 / years) - 1;
    double[] f = tradeFigures(trades);
    f[Figure.TOTAL_RETURN.ordinal()] = growth - 1;
    f[Figure.CAGR.ordinal()] = cagr;
    f[Figure.MAX_DRAWDOWN.ordinal()] = deepest;
    f[Figure.SHARPE.ordinal()] = moments.sharpe(riskFree) * perYear;
    f[Figure.SORTINO.ordinal()] = moments.sortino(riskFree) * perYear;
    f[Figure.CALMAR.ordinal()] = quotient(cagr, deepest);
    f[Figure.VOLATILITY.ordinal()] = moments.deviation() * perYear;
    f[Figure.EXPOSURE.ordinal()] = barsHeld / bars;
    f[Figure.FINAL_EQUITY.ordinal()] = before;
    f[Figure.BUY_AND_HOLD.ordinal()] = market.growth(boughtAt, lastBar) - 1;
    compare(f, market.gains(), firstBar, lastBar, moments, products, riskFree, bars / years);
    return f;
  }

  private static double[] tradeFigures(List<Trade> trades) {
    List<Trade> closed = trades.stream().filter(t -> !t.open()).toList();
    double profits = closed.stream().mapToDouble(t -> Math.max(0, t.profit())).sum();
    double losses = closed.stream().mapToDouble(t -> Math.max(0, -t.profit())).sum();
    double[] f = new double[Figure.values().length];
    f[Figure.TRADES.ordinal()] = closed.size();
    f[Figure.WIN_RATE.ordinal()] =
        quotient((double) closed.stream().filter(t -> t.profit() > 0).count(), closed.size());
    f[Figure.PROFIT_FACTOR.ordinal()] = profits == 0 ? 0 : Math.min(1000, profits / losses);
    f[Figure.AVERAGE_TRADE.ordinal()] =
        quotient(closed.stream().mapToDouble(Trade::profitRate).sum(), closed.size());
    f[Figure.FEES.ordinal()] = trades.stream().mapToDouble(Trade::fees).sum();
    f[Figure.DIVIDENDS.ordinal()] = trades.stream().mapToDouble(Trade::dividends).sum();
    return f;
  }

  private static double quotient(double a, double b) {
    return b == 0 ? 0 : a / b;
  }
}
