package dev.imker.charts.kernel;

import dev.imker.charts.series.SeriesExpr;
import java.util.Arrays;

/** Functions of the last bars of a series, and recursive averages; the parts of the kernels. */
public final class Windows {
  private Windows() {}

  /**
   * Mean of the last bars, of fewer at the start. A window that contains a missing value has none;
   * the sum starts anew behind it.
   */
  public static double[] mean(double[] x, int bars) {
    double[] result = sum(x, bars);
    for (int i = 0; i < result.length; i++) {
      result[i] /= Math.min(bars, i + 1);
    }
    return result;
  }

  /**
   * The sum carries along what rounding lost (Neumaier), so that what has left the window leaves no
   * trace in it.
   */
  static double[] sum(double[] x, int bars) {
    double[] result = new double[x.length];
    double sum = 0;
    double lost = 0;
    int fresh = 0;
    for (int i = 0; i < x.length; i++) {
      if (Double.isNaN(x[i])) {
        sum = 0;
        lost = 0;
        fresh = i + 1;
        result[i] = Double.NaN;
        continue;
      }
      double next = sum + x[i];
      lost += Math.abs(sum) >= Math.abs(x[i]) ? sum - next + x[i] : x[i] - next + sum;
      sum = next;
      if (i - bars >= fresh) {
        double gone = -x[i - bars];
        next = sum + gone;
        lost += Math.abs(sum) >= Math.abs(gone) ? sum - next + gone : gone - next + sum;
        sum = next;
      }
      boolean spoilt = fresh > Math.max(0, i - bars + 1);
      result[i] = spoilt ? Double.NaN : sum + lost;
    }
    return result;
  }

  /** ta4j's exponential average: starts with the first value from {@code firstBar} on. */
  static double[] exponential(double[] x, int firstBar, double weight) {
    double[] result = new double[x.length];
    Arrays.fill(result, 0, Math.min(firstBar, x.length), Double.NaN);
    double previous = Double.NaN;
    for (int i = firstBar; i < x.length; i++) {
      double current = x[i];
      if (Double.isNaN(current) || Double.isNaN(previous)) {
        previous = current;
      } else {
        previous += (current - previous) * weight;
      }
      result[i] = previous;
    }
    return result;
  }

  /**
   * An exponential average that starts with the mean of the first {@code bars} values, those from
   * {@code firstBar} on that are there. Behind a missing value it starts anew.
   */
  static double[] seeded(double[] x, int firstBar, int bars, double weight) {
    double[] result = new double[x.length];
    Arrays.fill(result, 0, Math.min(firstBar, x.length), Double.NaN);
    double value = 0;
    int seen = 0;
    for (int i = firstBar; i < x.length; i++) {
      if (Double.isNaN(x[i])) {
        value = 0;
        seen = 0;
      } else if (++seen <= bars) {
        value += (x[i] - value) / seen;
      } else {
        value += (x[i] - value) * weight;
      }
      result[i] = seen >= bars ? value : Double.NaN;
    }
    return result;
  }

  /** Linearly weighted mean, the newest bar weighing most; nothing before {@code firstBar}. */
  static double[] weighted(double[] x, int bars, int firstBar) {
    double[] result = new double[x.length];
    double weights = bars * (bars + 1.0) / 2;
    for (int i = 0; i < x.length; i++) {
      if (i < firstBar) {
        result[i] = Double.NaN;
        continue;
      }
      double sum = 0;
      for (int weight = bars, at = i; weight > 0; weight--, at--) {
        sum += weight * x[at];
      }
      result[i] = sum / weights;
    }
    return result;
  }

  /** Population variance of the last bars around their mean. */
  static double[] variance(double[] x, int bars) {
    double[] mean = mean(x, bars);
    double[] result = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      int start = Math.max(0, i - bars + 1);
      double sum = 0;
      for (int j = start; j <= i; j++) {
        double difference = x[j] - mean[i];
        sum += difference * difference;
      }
      result[i] = sum / (i - start + 1);
    }
    return result;
  }

  static double[] deviation(double[] x, int bars) {
    double[] result = variance(x, bars);
    for (int i = 0; i < result.length; i++) {
      result[i] = Math.sqrt(result[i]);
    }
    return result;
  }

  static double[] meanDeviation(double[] x, int bars) {
    double[] mean = mean(x, bars);
    double[] result = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      int start = Math.max(0, i - bars + 1);
      double sum = 0;
      for (int j = start; j <= i; j++) {
        sum += Math.abs(x[j] - mean[i]);
      }
      result[i] = sum / (i - start + 1);
    }
    return result;
  }

  static double[] highest(double[] x, int bars) {
    return extreme(x, bars, 1);
  }

  static double[] lowest(double[] x, int bars) {
    return extreme(x, bars, -1);
  }

  /**
   * Largest (sign 1) or smallest (sign -1) of the last bars, missing values left out. The deque
   * holds the bars that may still become the extreme, best first: amortised constant per bar.
   */
  private static double[] extreme(double[] x, int bars, int sign) {
    double[] result = new double[x.length];
    int[] deque = new int[x.length];
    int head = 0;
    int tail = 0;
    for (int i = 0; i < x.length; i++) {
      if (!Double.isNaN(x[i])) {
        while (tail > head && sign * x[deque[tail - 1]] <= sign * x[i]) {
          tail--;
        }
        deque[tail++] = i;
      }
      while (tail > head && deque[head] <= i - bars) {
        head++;
      }
      result[i] = tail > head ? x[deque[head]] : Double.NaN;
    }
    return result;
  }

  /** Removes what ta4j regards as unsettled. */
  static double[] blankBefore(double[] x, int firstBar) {
    Arrays.fill(x, 0, Math.min(firstBar, x.length), Double.NaN);
    return x;
  }

  static double[] gains(double[] x) {
    double[] result = new double[x.length];
    for (int i = 1; i < x.length; i++) {
      result[i] = x[i] > x[i - 1] ? x[i] - x[i - 1] : 0;
    }
    return result;
  }

  static double[] losses(double[] x) {
    double[] result = new double[x.length];
    for (int i = 1; i < x.length; i++) {
      result[i] = x[i] < x[i - 1] ? x[i - 1] - x[i] : 0;
    }
    return result;
  }

  static double[] combine(double[] a, double[] b, SeriesExpr.Operator operator) {
    double[] result = new double[a.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = operator.apply(a[i], b[i]);
    }
    return result;
  }

  /** ta4j divides by zero to "no value". */
  static double ratio(double a, double b) {
    return b == 0 ? Double.NaN : a / b;
  }
}
