package dev.imker.charts.luck;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.stat.descriptive.moment.Kurtosis;
import org.apache.commons.math3.stat.descriptive.moment.Skewness;
import org.apache.commons.math3.stat.descriptive.moment.Variance;
import org.jspecify.annotations.Nullable;

/**
 * The Sharpe ratio of the best of many trials, held against what the best of as many trials without
 * any skill would have (Bailey and López de Prado, 2014). Yearly, like all Sharpe ratios here.
 *
 * @param trials how many combinations were compared
 * @param expectedByChance what the best of them would have if all were worthless
 * @param probability that the true Sharpe ratio is above zero, given the trials, the length of the
 *     history, and the skewness and fat tails of the returns
 */
public record DeflatedSharpe(
    int trials, double sharpe, double expectedByChance, double probability) {
  private static final double EULER_MASCHERONI = 0.5772156649015329;

  /** The returns of an account, bar by bar. */
  public static double[] returns(double capital, double[] curve) {
    double[] returns = new double[curve.length];
    double before = capital;
    for (int i = 0; i < curve.length; i++) {
      returns[i] = before <= 0 ? 0 : curve[i] / before - 1;
      before = curve[i];
    }
    return returns;
  }

  /**
   * @param sharpe of the chosen combination, per year
   * @param trials the Sharpe ratios of all combinations, per year; those that are no number do not
   *     count
   * @param returns of the chosen combination, bar by bar, on each market
   * @param barsPerYear how many bars a year has
   * @return nothing if there are fewer than two trials or too few bars
   */
  public static @Nullable DeflatedSharpe of(
      double sharpe, double[] trials, List<double[]> returns, double barsPerYear) {
    double[] known = Arrays.stream(trials).filter(Double::isFinite).toArray();
    double[] all = returns.stream().flatMapToDouble(Arrays::stream).toArray();
    if (known.length < 2 || all.length < 4 * returns.size() || Double.isNaN(sharpe)) {
      return null;
    }
    double scale = Math.sqrt(barsPerYear);
    double perBar = sharpe / scale;
    double deviation = Math.sqrt(new Variance().evaluate(known)) / scale;
    double byChance = deviation * expectedMaximum(known.length);
    double skewness = orZero(new Skewness().evaluate(all));
    double excess = orZero(new Kurtosis().evaluate(all));
    double bars = (double) all.length / returns.size();
    double spread = 1 - skewness * perBar + (excess + 2) / 4 * perBar * perBar;
    double z = (perBar - byChance) * Math.sqrt(bars - 1) / Math.sqrt(Math.max(1e-12, spread));
    return new DeflatedSharpe(
        known.length, sharpe, byChance * scale, new NormalDistribution().cumulativeProbability(z));
  }

  /** What the highest of so many standard normal numbers is expected to be. */
  static double expectedMaximum(int count) {
    NormalDistribution normal = new NormalDistribution();
    return (1 - EULER_MASCHERONI) * normal.inverseCumulativeProbability(1 - 1.0 / count)
        + EULER_MASCHERONI * normal.inverseCumulativeProbability(1 - 1.0 / (count * Math.E));
  }

  private static double orZero(double value) {
    return Double.isFinite(value) ? value : 0;
  }
}
