package dev.imker.charts.report;

import dev.imker.charts.outcome.Trade;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What ended trades, and what came of those that it ended. */
final class ExitReasons {
  private ExitReasons() {}

  static Table of(List<MarketRun> runs) {
    Table table =
        new Table(
            "exits",
            List.of(
                "side",
                "reason",
                "trades",
                "win-rate",
                "mean profit rate",
                "mean worst (MAE)",
                "mean best (MFE)",
                "profit"));
    Map<String, List<Trade>> byReason = new TreeMap<>();
    for (MarketRun run : runs) {
      for (Trade trade : run.trades()) {
        String reason = trade.open() ? "still open" : trade.reason();
        byReason.computeIfAbsent(trade.side() + "\n" + reason, key -> new ArrayList<>()).add(trade);
      }
    }
    byReason.forEach(
        (key, trades) -> {
          String[] names = key.split("\n", -1);
          table.add(
              List.of(
                  names[0],
                  names[1],
                  (double) trades.size(),
                  (double) trades.stream().filter(t -> t.profit() > 0).count() / trades.size(),
                  mean(trades.stream().mapToDouble(Trade::profitRate).toArray()),
                  mean(trades.stream().mapToDouble(Trade::worst).toArray()),
                  mean(trades.stream().mapToDouble(Trade::best).toArray()),
                  trades.stream().mapToDouble(Trade::profit).sum()));
        });
    return table;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }
}
