package dev.imker.charts.report;

import dev.imker.charts.market.Market;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The mean of the accounts of all markets, each day that any of them traded. An account that has
 * not begun yet is worth what it begins with, one that has ended what it ended with.
 */
record MeanAccount(int[] epochDays, double[] worth) {
  static MeanAccount of(List<MarketRun> all, Map<String, Market> byName) {
    TreeMap<Integer, double[]> byDay = new TreeMap<>();
    List<MarketRun> runs =
        all.stream()
            .filter(run -> byName.containsKey(run.market()) && run.curve().length > 0)
            .toList();
    for (int m = 0; m < runs.size(); m++) {
      MarketRun run = runs.get(m);
      int[] days = Objects.requireNonNull(byName.get(run.market())).epochDays();
      for (int i = 0; i < run.curve().length; i++) {
        double[] row = byDay.computeIfAbsent(days[run.firstBar() + i], d -> missing(runs.size()));
        row[m] = run.curve()[i];
      }
    }
    double[] last = runs.stream().mapToDouble(run -> run.curve()[0]).toArray();
    double[] mean = new double[byDay.size()];
    int at = 0;
    for (double[] row : byDay.values()) {
      for (int m = 0; m < last.length; m++) {
        last[m] = Double.isNaN(row[m]) ? last[m] : row[m];
      }
      mean[at++] = Arrays.stream(last).average().orElseThrow();
    }
    return new MeanAccount(byDay.keySet().stream().mapToInt(Integer::intValue).toArray(), mean);
  }

  private static double[] missing(int count) {
    double[] row = new double[count];
    Arrays.fill(row, Double.NaN);
    return row;
  }
}
