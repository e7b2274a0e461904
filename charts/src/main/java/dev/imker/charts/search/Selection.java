package dev.imker.charts.search;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How one combination is chosen among the evaluated. */
public enum Selection {
  /** The one that is worth most. */
  BEST,
  /** The one whose neighbourhood is worth most: a plateau, not a peak. */
  ROBUST,
  /** The evaluated one nearest to the middle of the best tenth. */
  CENTRE;

  private static final int ROBUST_CANDIDATES = 1000;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> labels() {
    return Stream.of(values()).map(Selection::label).toList();
  }

  /** The place of the chosen one. */
  public int choose(Evaluated evaluated, Space space) {
    return switch (this) {
      case BEST -> evaluated.best();
      case ROBUST -> robust(evaluated, space, evaluated.ranking());
      case CENTRE -> centre(evaluated, space, evaluated.ranking());
    };
  }

  private static int robust(Evaluated evaluated, Space space, int[] ranking) {
    int best = ranking[0];
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < Math.min(ranking.length, ROBUST_CANDIDATES); i++) {
      double worth = evaluated.neighbourhood(space, ranking[i]);
      if (worth > most) {
        most = worth;
        best = ranking[i];
      }
    }
    return best;
  }

  private static int centre(Evaluated evaluated, Space space, int[] ranking) {
    int count = Math.max(1, ranking.length / 10);
    int dimensions = space.parameters().size();
    int[][] places = new int[count][];
    double[] middle = new double[dimensions];
    for (int i = 0; i < count; i++) {
      places[i] = space.places(evaluated.combinations()[ranking[i]]);
      for (int d = 0; d < dimensions; d++) {
        middle[d] += (double) places[i][d] / count;
      }
    }
    int nearest = 0;
    for (int i = 1; i < count; i++) {
      if (distance(places[i], middle) < distance(places[nearest], middle)) {
        nearest = i;
      }
    }
    return ranking[nearest];
  }

  private static double distance(int[] places, double[] middle) {
    return IntStream.range(0, places.length)
        .mapToDouble(d -> (places[d] - middle[d]) * (places[d] - middle[d]))
        .sum();
  }
}
