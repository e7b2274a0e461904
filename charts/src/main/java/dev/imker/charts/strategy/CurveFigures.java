package dev.imker.charts.strategy;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
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

    double sharpe() {
      return quotient(mean, deviation);
    }

    double sortino() {
      return quotient(mean, lossDeviation);
    }
  }

  /**
   * @param capital at the start
   * @param curve the account at the close of every bar
   * @param barsHeld bars with a position
   * @param buyAndHold what the market gained in the same time
   */
  public static double[] of(
      double capital,
      double[] curve,
      LocalDate from,
      LocalDate to,
      List<Trade> trades,
      double barsHeld,
      double buyAndHold) {
    double sum = 0;
    double squares = 0;
    double lossSquares = 0;
    double peak = capital;
    double deepest = 0;
    double before = capital;
    for (double value : curve) {
      double gain = before == 0 ? 0 : value / before - 1;
      sum += gain;
      squares += gain * gain;
      lossSquares += gain < 0 ? gain * gain : 0;
      peak = Math.max(peak, value);
      deepest = peak <= 0 ? 0 : Math.max(deepest, 1 - value / peak);
      before = value;
    }
    int bars = curve.length;
    double years = Math.max(1, ChronoUnit.DAYS.between(from, to)) / DAYS_PER_YEAR;
    double perYear = Math.sqrt(bars / years);
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
    f[Figure.SHARPE.ordinal()] = moments.sharpe() * perYear;
    f[Figure.SORTINO.ordinal()] = moments.sortino() * perYear;
    f[Figure.CALMAR.ordinal()] = quotient(cagr, deepest);
    f[Figure.VOLATILITY.ordinal()] = moments.deviation() * perYear;
    f[Figure.EXPOSURE.ordinal()] = barsHeld / bars;
    f[Figure.FINAL_EQUITY.ordinal()] = before;
    f[Figure.BUY_AND_HOLD.ordinal()] = buyAndHold;
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
    return f;
  }

  private static double quotient(double a, double b) {
    return b == 0 ? 0 : a / b;
  }
}
