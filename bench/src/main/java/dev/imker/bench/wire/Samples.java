package dev.imker.bench.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One figure of several contenders, taken once a round. */
final class Samples {

  private final Map<String, List<Double>> byName = new LinkedHashMap<>();

  public void add(String name, double value) {
    byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
  }

  public double median(String name) {
    return median(byName.getOrDefault(name, List.of()));
  }

  /**
   * The median of the ratios within each round: what disturbs the machine for a while disturbs both
   * of a round.
   */
  public double ratio(String name, String other) {
    List<Double> own = byName.getOrDefault(name, List.of());
    List<Double> theirs = byName.getOrDefault(other, List.of());
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < Math.min(own.size(), theirs.size()); round++) {
      ratios.add(own.get(round) / theirs.get(round));
    }
    return median(ratios);
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0
        ? Double.NaN
        : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
