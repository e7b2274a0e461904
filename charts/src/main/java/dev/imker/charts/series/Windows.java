package dev.imker.charts.series;

import java.util.Arrays;

/** Functions of the last bars of a series, and recursive averages; the parts of the kernels. */
final class Windows {
  private Windows() {}

  /**
   * Mean of the last bars, of fewer at the start. A window that contains a missing value has none;
   * the sum starts anew behind it.
   */
  static double[] mean(double[] x, int bars) {
    double[] result = sum(x, bars);
    for (int i = 0; i < result.length; i++) {
      result[i] /= Math.min(bars, i + 1);
    }
    return result;
  }

  static double[] sum(double[] x, int bars) {
    double[] result = new double[x.length];
    double sum = 0;
    int fresh = 0;
    for (int i = 0; i < x.length; i++) {
      if (Double.isNaN(x[i])) {
        sum = 0;
        fresh = i + 1;
        result[i] = Double.NaN;
        continue;
      }
      sum += x[i];
      if (i - bars >= fresh) {
        sum -= x[i - bars];
      }
      boolean spoilt = fresh > Math.max(0, i - bars + 1);
      result[i] = spoilt ? Double.NaN : sum;
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

  static double[] ema(double[] x, int bars) {
    return exponential(x, bars, 2.0 / (bars + 1));
  }

  /** Wilder's smoothing as ta4j's modified moving average. */
  static double[] mma(double[] x, int bars) {
    return exponential(x, bars, 1.0 / bars);
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
