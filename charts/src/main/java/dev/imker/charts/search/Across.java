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
    double[] sorted = worth.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    return switch (this) {
      case MEAN -> Arrays.stream(worth).sum() / n;
      case MEDIAN -> n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
      case WORST -> sorted[0];
    };
  }
}
