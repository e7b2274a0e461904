package dev.imker.charts.study;

import dev.imker.charts.outcome.Figure;
import dev.imker.charts.search.Across;
import dev.imker.charts.search.Evaluated;
import dev.imker.charts.search.Objective;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/** The figures of many combinations on many markets, and their worth over all markets. */
final class SweepTable {
  private final Objective objective;
  private final Across across;
  private final long[] combinations;
  private final Map<String, double[]> worthByMarket = new TreeMap<>();
  private final double[][] sums;
  private final int[] counts;

  private SweepTable(Objective objective, Across across, long[] combinations) {
    this.objective = objective;
    this.across = across;
    this.combinations = combinations;
    this.sums = new double[combinations.length][Figure.values().length];
    this.counts = new int[combinations.length];
  }

  /** Gathers the outcomes of the chosen runs. */
  static SweepTable of(
      Objective objective,
      Across across,
      List<PartialResult> results,
      BiPredicate<String, Run> chosen) {
    long[] combinations =
        ascending(
            results.stream()
                .flatMap(
                    r ->
                        r.unit().runs().stream().filter(run -> chosen.test(r.unit().market(), run)))
                .flatMapToLong(run -> Arrays.stream(run.combinations()))
                .toArray());
    SweepTable table = new SweepTable(objective, across, combinations);
    for (PartialResult result : results) {
      String market = result.unit().market();
      for (int i = 0; i < result.outcomes().size(); i++) {
        Run run = result.unit().runs().get(i);
        if (chosen.test(market, run)) {
          table.add(market, run.combinations(), result.outcomes().get(i));
        }
      }
    }
    return table;
  }

  /** Each of the numbers once. */
  private static long[] ascending(long[] numbers) {
    Arrays.sort(numbers);
    int count = 0;
    for (int i = 0; i < numbers.length; i++) {
      if (count == 0 || numbers[i] != numbers[count - 1]) {
        numbers[count++] = numbers[i];
      }
    }
    return Arrays.copyOf(numbers, count);
  }

  private int row(long combination) {
    return Arrays.binarySearch(combinations, combination);
  }

  private void add(String market, long[] some, PartialResult.Outcome outcome) {
    double[][] figures = outcome.figures();
    double[] worth = worthByMarket.computeIfAbsent(market, m -> unknown());
    for (int i = 0; i < some.length; i++) {
      int row = row(some[i]);
      if (Double.isNaN(worth[row])) {
        counts[row]++;
        for (int f = 0; i < figures.length && f < figures[i].length; f++) {
          sums[row][f] += figures[i][f];
        }
      }
      worth[row] = outcome.isJoined() ? outcome.worth()[i] : objective.value(figures[i]);
    }
  }

  private double[] unknown() {
    double[] worth = new double[combinations.length];
    Arrays.fill(worth, Double.NaN);
    return worth;
  }

  /** Whether there was no trade at all, whatever the combination and the market. */
  boolean nothingTraded() {
    return Arrays.stream(sums)
        .noneMatch(row -> row[Figure.TRADES.ordinal()] > 0 || row[Figure.EXPOSURE.ordinal()] > 0);
  }

  boolean isEmpty() {
    return combinations.length == 0;
  }

  /**
   * The worth over all markets. Combinations that are still missing on some market are left out
   * while others are not.
   */
  Evaluated overall() {
    int most = Arrays.stream(counts).max().orElse(0);
    int[] complete = indices(most);
    long[] some = new long[complete.length];
    double[] worth = new double[complete.length];
    for (int i = 0; i < complete.length; i++) {
      int row = complete[i];
      some[i] = combinations[row];
      worth[i] = across.of(known(row));
    }
    return new Evaluated(some, worth);
  }

  /** What a combination is worth on each market that it was tried on. */
  private double[] known(int row) {
    double[] known = new double[worthByMarket.size()];
    int count = 0;
    for (double[] worth : worthByMarket.values()) {
      if (!Double.isNaN(worth[row])) {
        known[count++] = worth[row];
      }
    }
    return Arrays.copyOf(known, count);
  }

  private int[] indices(int count) {
    return IntStream.range(0, counts.length).filter(row -> counts[row] == count).toArray();
  }

  /** The worth on one market alone. */
  Evaluated of(String market) {
    double[] worth = worthByMarket.getOrDefault(market, new double[0]);
    int[] known =
        IntStream.range(0, worth.length).filter(row -> !Double.isNaN(worth[row])).toArray();
    return new Evaluated(
        Arrays.stream(known).mapToLong(row -> combinations[row]).toArray(),
        Arrays.stream(known).mapToDouble(row -> worth[row]).toArray());
  }

  Iterable<String> markets() {
    return worthByMarket.keySet();
  }

  /** The figures of a combination, as means over the markets. */
  double[] meanFigures(long combination) {
    int row = row(combination);
    return Arrays.stream(sums[row]).map(sum -> sum / counts[row]).toArray();
  }
}
