package dev.imker.core.strategy.survival;

import java.util.Arrays;

/**
 * How the lengths of a project's tasks scatter around their mean: a histogram of ratios to the mean
 * that slowly forgets, summed up as a few points of a share each. An attempt that was cut off tells
 * that its task is longer than that: its weight goes to the lengths above, in proportion to what is
 * there (the product-limit estimator of Kaplan and Meier, in Efron's form).
 */
final class Lengths {
  static final int POINTS = 6;
  private static final int BINS = 36;
  private static final double LOWEST = -3;
  private static final double WIDTH = 0.25;
  private static final double MEMORY = 0.99;
  private static final double BEYOND = 1.5;
  private static final double MIN_SHARE = 0.005;

  /** Where the points end, as shares of all tasks: the longest few count most at the end. */
  private static final double[] CUTS = {0.25, 0.5, 0.7, 0.85, 0.95, 1};

  private static final double[] FIRST_RATIOS = {0.7, 1, 1.3};
  private static final double FIRST_WEIGHT = 0.3;

  private final double[] weight = new double[BINS];
  private final double[] sum = new double[BINS];
  private final double[] ratios = new double[POINTS];
  private final double[] shares = new double[POINTS];
  private int points;
  private double mean;
  private boolean stale = true;

  Lengths() {
    for (double ratio : FIRST_RATIOS) {
      put(ratio, FIRST_WEIGHT);
    }
  }

  /** A task took that many times the expected time. */
  void add(double ratio) {
    for (int b = 0; b < BINS; b++) {
      weight[b] *= MEMORY;
      sum[b] *= MEMORY;
    }
    put(ratio, 1);
  }

  /** A task was cut off after that many times the expected time. */
  void addLonger(double ratio) {
    int from = bin(ratio);
    double above = 0;
    for (int b = from; b < BINS; b++) {
      above += sum[b] > ratio * weight[b] ? weight[b] : 0;
    }
    if (above < 1e-3) {
      put(BEYOND * ratio, 1);
      return;
    }
    for (int b = from; b < BINS; b++) {
      if (sum[b] > ratio * weight[b]) {
        double factor = 1 + 1 / above;
        weight[b] *= factor;
        sum[b] *= factor;
      }
    }
    stale = true;
  }

  private void put(double ratio, double much) {
    int b = bin(ratio);
    weight[b] += much;
    sum[b] += much * ratio;
    stale = true;
  }

  private static int bin(double ratio) {
    double position = (Math.log(Math.max(1e-6, ratio)) - LOWEST) / WIDTH;
    return (int) Math.clamp(position, 0, BINS - 1.0);
  }

  int points() {
    refresh();
    return points;
  }

  /** Length of the point as a multiple of the expected time; ascending. */
  double ratio(int point) {
    return ratios[point];
  }

  double share(int point) {
    return shares[point];
  }

  /** Mean ratio: more than 1 where long tasks tend to be cut off. */
  double mean() {
    refresh();
    return mean;
  }

  double[] memory() {
    double[] memory = Arrays.copyOf(weight, 2 * BINS);
    System.arraycopy(sum, 0, memory, BINS, BINS);
    return memory;
  }

  void recall(double[] memory) {
    if (memory.length == 2 * BINS) {
      System.arraycopy(memory, 0, weight, 0, BINS);
      System.arraycopy(memory, BINS, sum, 0, BINS);
      stale = true;
    }
  }

  private void refresh() {
    if (!stale) {
      return;
    }
    stale = false;
    double total = 0;
    double all = 0;
    for (int b = 0; b < BINS; b++) {
      total += weight[b];
      all += sum[b];
    }
    mean = all / total;
    points = 0;
    double below = 0;
    double inPoint = 0;
    double length = 0;
    int cut = 0;
    for (int b = 0; b < BINS; b++) {
      if (weight[b] < 1e-9) {
        continue;
      }
      inPoint += weight[b];
      length += sum[b];
      below += weight[b];
      boolean isNearlyAll = total - below < MIN_SHARE * total;
      if (below >= CUTS[cut] * total && !isNearlyAll) {
        point(inPoint, length, total);
        inPoint = 0;
        length = 0;
        while (below >= CUTS[cut] * total) {
          cut++;
        }
      }
    }
    point(inPoint, length, total);
  }

  private void point(double weightOfIt, double lengthOfIt, double total) {
    ratios[points] = lengthOfIt / weightOfIt;
    shares[points++] = weightOfIt / total;
  }
}
