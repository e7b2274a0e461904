package dev.imker.charts.search;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How the worth of a combination on several markets becomes one. */
public enum Across {
  MEAN,
  MEDIAN,
  WORST;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> labels() {
    return Stream.of(values()).map(Across::label).toList();
  }

  public double of(double[] worth) {
    return switch (this) {
      case MEAN -> Arrays.stream(worth).sum() / worth.length;
      case MEDIAN -> median(sorted(worth));
      case WORST -> sorted(worth)[0];
    };
  }

  private static double[] sorted(double[] worth) {
    double[] sorted = worth.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  private static double median(double[] sorted) {
    int n = sorted.length;
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  }
}
