package dev.imker.bench.peers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What was measured of one contender, a figure a round. */
final class Series {
  private final String name;
  private final List<Double> values = new ArrayList<>();

  Series(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  void add(double value) {
    values.add(value);
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  double median() {
    double[] sorted = sorted();
    return sorted[sorted.length / 2];
  }

  double least() {
    return sorted()[0];
  }

  double largest() {
    return sorted()[values.size() - 1];
  }

  private double[] sorted() {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }

  /** That of the first contender to this one, round by round. */
  Series ratio(Series first) {
    Series ratio = new Series(name);
    for (int i = 0; i < Math.min(values.size(), first.values.size()); i++) {
      ratio.add(first.values.get(i) / values.get(i));
    }
    return ratio;
  }

  /** Median, and in brackets the least and the largest. */
  String text() {
    if (isEmpty()) {
      return "–";
    }
    return figure(median()) + " (" + figure(least()) + "–" + figure(largest()) + ")";
  }

  static String figure(double value) {
    int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
