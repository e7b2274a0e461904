package dev.imker.charts.study;

import dev.imker.charts.outcome.Figure;
import dev.imker.charts.search.Objective;
import dev.imker.charts.study.PartialResult.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a search needs of its results: what each combination is worth on each market, and the sums
 * of its figures over the markets. Groups of a few markets are summed up where they were computed,
 * so that little travels; and by whoever puts results together, so that sums of doubles, which
 * depend on their order, are the same whoever did what.
 */
final class JoinedResults {
  /** So many markets are summed up together. */
  static final int MARKETS = 8;

  private JoinedResults() {}

  /**
   * @param ordered by round and id
   */
  static List<PartialResult> of(Objective objective, List<PartialResult> ordered) {
    List<PartialResult> joined = new ArrayList<>(ordered.size());
    for (int i = 0; i < ordered.size(); ) {
      PartialResult first = ordered.get(i);
      int count = first.unit().together();
      if (count > 1 && i + count <= ordered.size() && isGroup(ordered.subList(i, i + count))) {
        joined.addAll(sums(objective, ordered.subList(i, i + count)));
        i += count;
      } else {
        joined.add(onlyRisk(first));
        i++;
      }
    }
    return joined;
  }

  /** Whether these are all of a group, and not joined yet. */
  private static boolean isGroup(List<PartialResult> results) {
    WorkUnit first = results.getFirst().unit();
    for (int place = 0; place < results.size(); place++) {
      WorkUnit unit = results.get(place).unit();
      if (unit.place() != place
          || unit.round() != first.round()
          || results.get(place).outcomes().getFirst().isJoined()
          || !Arrays.equals(combinations(unit), combinations(first))) {
        return false;
      }
    }
    return true;
  }

  private static long[] combinations(WorkUnit unit) {
    return unit.runs().getFirst().combinations();
  }

  private static List<PartialResult> sums(Objective objective, List<PartialResult> group) {
    double[][] sums =
        new double[combinations(group.getFirst().unit()).length][Figure.values().length];
    List<PartialResult> joined = new ArrayList<>();
    for (int place = 0; place < group.size(); place++) {
      Outcome outcome = group.get(place).outcomes().getFirst();
      double[] worth = new double[sums.length];
      for (int row = 0; row < sums.length; row++) {
        double[] own = outcome.figures()[row];
        worth[row] = objective.value(own);
        for (int f = 0; f < own.length; f++) {
          sums[row][f] += own[f];
        }
      }
      double[][] figures = place == group.size() - 1 ? sums : new double[0][];
      joined.add(group.get(place).with(List.of(outcome.with(figures, worth))));
    }
    return joined;
  }

  /** Of blocks of the history, only these two figures are ever looked at. */
  private static PartialResult onlyRisk(PartialResult result) {
    List<Run> runs = result.unit().runs();
    if (runs.stream().noneMatch(run -> run.stage() == Run.Stage.BLOCK)) {
      return result;
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Outcome outcome = result.outcomes().get(i);
      boolean block = runs.get(i).stage() == Run.Stage.BLOCK;
      outcomes.add(block ? outcome.with(onlyRisk(outcome.figures()), outcome.worth()) : outcome);
    }
    return result.with(outcomes);
  }

  private static double[][] onlyRisk(double[][] figures) {
    double[][] kept = new double[figures.length][Figure.values().length];
    for (int row = 0; row < kept.length; row++) {
      for (Figure figure : List.of(Figure.SHARPE, Figure.VOLATILITY)) {
        kept[row][figure.ordinal()] = figures[row][figure.ordinal()];
      }
    }
    return kept;
  }
}
