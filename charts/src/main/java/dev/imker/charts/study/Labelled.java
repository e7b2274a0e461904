package dev.imker.charts.study;

import dev.imker.charts.outcome.Figure;
import dev.imker.charts.search.Space;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Arrays as maps with names, the way results show them. */
final class Labelled {
  private Labelled() {}

  static Map<String, Double> figures(double[] figures) {
    Map<String, Double> map = new LinkedHashMap<>();
    for (Figure figure : Figure.values()) {
      map.put(figure.label(), figures[figure.ordinal()]);
    }
    return map;
  }

  static Map<String, Double> parameters(Space space, long combination) {
    Map<String, Double> map = new LinkedHashMap<>();
    double[] values = space.values(combination);
    for (int i = 0; i < values.length; i++) {
      map.put(space.parameters().get(i).name(), values[i]);
    }
    return map;
  }

  static double[] mean(List<double[]> rows) {
    double[] mean = new double[Figure.values().length];
    for (double[] row : rows) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += row[i] / rows.size();
      }
    }
    return mean;
  }
}
