package dev.imker.charts.report;

import dev.imker.charts.luck.DeflatedSharpe;
import dev.imker.charts.luck.Luck;
import dev.imker.charts.luck.Overfitting;
import dev.imker.charts.luck.TradeDraws;
import dev.imker.charts.market.CommonCalendar;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.AnalysisResult.Choice;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import dev.imker.charts.study.AnalysisResult.Robustness;
import dev.imker.charts.study.AnalysisResult.Surface;
import dev.imker.charts.study.AnalysisResult.Variant;
import dev.imker.charts.study.AnalysisResult.WindowChoice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class Tables {
  private Tables() {}

  /** All tables that have rows, the summary first. */
  static List<Table> of(AnalysisResult result, Courses courses) {
    List<Table> tables = new ArrayList<>();
    tables.add(summary(result));
    tables.add(rules(result));
    tables.add(months(courses));
    tables.add(drawDowns(courses));
    tables.add(ExitReasons.of(result.perMarket()));
    tables.add(luck(result.luck()));
    tables.add(perMarket(result));
    tables.add(contributions(result));
    tables.add(variants(result));
    tables.add(windows(result));
    tables.add(surface(result));
    tables.add(bestPerMarket(result));
    tables.add(trades(result));
    tables.add(EquityTable.of(courses));
    tables.removeIf(table -> table.rows().isEmpty());
    return tables;
  }

  private static Table summary(AnalysisResult result) {
    Table table = new Table("summary", List.of("item", "value"));
    table.add(List.of("analysis", result.name()));
    table.add(List.of("kind", result.kind()));
    table.add(List.of("complete", result.complete() ? "yes" : "no"));
    table.add(List.of("markets", (double) result.markets().size()));
    if (!result.kind().equals("backtest")) {
      table.add(List.of("objective", result.objective()));
    }
    Choice best = result.best();
    if (best != null) {
      table.add(List.of("worth", best.worth()));
      best.parameters().forEach((name, value) -> table.add(List.of("best " + name, value)));
      Robustness robustness = best.robustness();
      if (robustness != null) {
        table.add(List.of("neighbours evaluated", (double) robustness.neighbours()));
        table.add(List.of("neighbours mean worth", robustness.mean()));
        table.add(List.of("neighbours worst worth", robustness.worst()));
        table.add(List.of("robustness (1: neighbours are worth as much)", robustness.share()));
      }
    }
    if (!result.variants().isEmpty()) {
      table.add(List.of("best variant", result.variants().getFirst().label()));
    }
    meanFigures(result).forEach((name, value) -> table.add(List.of("mean " + name, value)));
    result.warnings().forEach(warning -> table.add(List.of("note", warning)));
    return table;
  }

  private static Table rules(AnalysisResult result) {
    Table table = new Table("rules", List.of("what", "how"));
    result.rules().forEach((what, how) -> table.add(List.of(what, how)));
    return table;
  }

  private static Table months(Courses courses) {
    Table table = new Table("months", Months.HEADER);
    courses.all().forEach(course -> Months.addTo(table, course.run(), course.market()));
    return table;
  }

  private static Table drawDowns(Courses courses) {
    Table table = new Table("draw-downs", DrawDowns.HEADER);
    courses.all().forEach(course -> DrawDowns.addTo(table, course.run(), course.market()));
    return table;
  }

  private static Table luck(Luck luck) {
    Table table = new Table("luck", List.of("question", "answer"));
    TradeDraws draws = luck.tradeDraws();
    if (draws != null) {
      table.add(List.of("draws of %d trades".formatted(draws.trades()), (double) draws.draws()));
      quantiles(table, Figure.TOTAL_RETURN, draws.totalReturn());
      quantiles(table, Figure.MAX_DRAWDOWN, draws.maxDrawdown());
      table.add(List.of("share of draws that lost money", percent(draws.lossShare())));
    }
    Luck.Permutations shuffled = luck.permutations();
    if (shuffled != null) {
      table.add(List.of("times the bars were shuffled", (double) shuffled.count()));
      table.add(List.of("worth on the real markets", shuffled.worth()));
      table.add(List.of("mean worth on shuffled markets", shuffled.mean()));
      table.add(List.of("shuffled markets worth as much", (double) shuffled.asGood()));
      table.add(List.of("p-value", shuffled.pValue()));
    }
    DeflatedSharpe sharpe = luck.deflatedSharpe();
    if (sharpe != null) {
      table.add(List.of("Sharpe of the choice", sharpe.sharpe()));
      table.add(
          List.of(
              "Sharpe that the best of %d worthless ones would have".formatted(sharpe.trials()),
              sharpe.expectedByChance()));
      table.add(
          List.of(
              "deflated Sharpe: probability that it is more than chance",
              percent(sharpe.probability())));
    }
    Overfitting overfitting = luck.overfitting();
    if (overfitting != null) {
      table.add(List.of("ways to halve the history", (double) overfitting.splits()));
      table.add(
          List.of(
              "probability of overfitting: the best of one half is below the median of the other",
              percent(overfitting.probability())));
      table.add(
          List.of("the best of one half loses in the other", percent(overfitting.lossShare())));
    }
    return table;
  }

  private static void quantiles(Table table, Figure figure, TradeDraws.Quantiles quantiles) {
    table.add(
        List.of(
            figure.label() + " of the draws: 5 %, median, 95 %",
            "%s, %s, %s"
                .formatted(
                    NumberTexts.figure(figure, quantiles.low()),
                    NumberTexts.figure(figure, quantiles.median()),
                    NumberTexts.figure(figure, quantiles.high()))));
  }

  private static String percent(double share) {
    return NumberTexts.figure(Figure.WIN_RATE, share);
  }

  static Map<String, Double> meanFigures(AnalysisResult result) {
    Choice best = result.best();
    if (best != null) {
      return best.figures();
    }
    Map<String, Double> mean = new LinkedHashMap<>();
    int count = result.perMarket().size();
    for (MarketRun run : result.perMarket()) {
      run.figures().forEach((name, value) -> mean.merge(name, value / count, Double::sum));
    }
    return mean;
  }

  private static Table perMarket(AnalysisResult result) {
    List<String> header = new ArrayList<>(List.of("market", "from", "to"));
    header.addAll(Figure.labels());
    Table table = new Table("markets", header);
    for (MarketRun run : result.perMarket()) {
      List<Object> row = new ArrayList<>(List.of(run.market(), run.fromDate(), run.toDate()));
      row.addAll(run.figures().values());
      table.add(row);
    }
    return table;
  }

  /** What each market of a portfolio brought. */
  private static Table contributions(AnalysisResult result) {
    Table table =
        new Table(
            "contributions",
            List.of("market", "closed trades", "won", "fees", "dividends", "profit"));
    Map<String, double[]> sums = new TreeMap<>();
    for (MarketRun run : result.perMarket()) {
      if (run.market().equals(CommonCalendar.NAME)) {
        run.trades().forEach(trade -> add(sums, trade));
      }
    }
    sums.forEach(
        (market, sum) -> table.add(List.of(market, sum[0], sum[1], sum[2], sum[3], sum[4])));
    return table;
  }

  private static void add(Map<String, double[]> sums, Trade trade) {
    double[] sum = sums.computeIfAbsent(trade.market(), market -> new double[5]);
    sum[0] += trade.open() ? 0 : 1;
    sum[1] += !trade.open() && trade.profit() > 0 ? 1 : 0;
    sum[2] += trade.fees();
    sum[3] += trade.dividends();
    sum[4] += trade.profit();
  }

  private static Table variants(AnalysisResult result) {
    List<String> header = new ArrayList<>(List.of("variant", "worth out of sample"));
    header.addAll(Figure.labels());
    Table table = new Table("variants", header);
    for (Variant variant : result.variants()) {
      List<Object> row = new ArrayList<>(List.of(variant.label(), variant.worth()));
      row.addAll(variant.figures().values());
      table.add(row);
    }
    return table;
  }

  private static Table windows(AnalysisResult result) {
    List<String> header =
        new ArrayList<>(
            List.of("variant", "market", "window", "from", "to", "chosen", "worth in training"));
    header.addAll(Figure.labels());
    Table table = new Table("windows", header);
    for (Variant variant : result.variants()) {
      for (WindowChoice choice : variant.windows()) {
        List<Object> row =
            new ArrayList<>(
                List.of(
                    variant.label(),
                    choice.market(),
                    (double) choice.window() + 1,
                    choice.testFrom(),
                    choice.testTo(),
                    NumberTexts.parameters(choice.parameters()),
                    choice.trainWorth()));
        row.addAll(choice.figures().values());
        table.add(row);
      }
    }
    return table;
  }

  private static Table surface(AnalysisResult result) {
    Surface surface = result.surface();
    List<String> header = new ArrayList<>(surface == null ? List.of() : surface.parameters());
    header.add("worth");
    header.addAll(Figure.labels());
    Table table = new Table("surface", header);
    for (int i = 0; surface != null && i < surface.worth().length; i++) {
      List<Object> row = new ArrayList<>();
      addAll(row, surface.values()[i]);
      row.add(surface.worth()[i]);
      addAll(row, surface.figures()[i]);
      table.add(row);
    }
    return table;
  }

  private static void addAll(List<Object> row, double[] values) {
    for (double value : values) {
      row.add(value);
    }
  }

  private static Table bestPerMarket(AnalysisResult result) {
    Table table = new Table("best per market", List.of("market", "worth", "parameters"));
    result
        .bestPerMarket()
        .forEach(
            choice ->
                table.add(
                    List.of(
                        choice.market(),
                        choice.worth(),
                        NumberTexts.parameters(choice.parameters()))));
    return table;
  }

  private static Table trades(AnalysisResult result) {
    Table table =
        new Table(
            "trades",
            List.of(
                "market",
                "side",
                "entry date",
                "entry price",
                "exit date",
                "exit price",
                "units",
                "bars held",
                "fees",
                "dividends",
                "profit",
                "profit rate",
                "worst (MAE)",
                "best (MFE)",
                "reason",
                "open"));
    for (MarketRun run : result.perMarket()) {
      for (Trade trade : run.trades()) {
        table.add(
            List.of(
                trade.market(),
                trade.side(),
                trade.entryDate(),
                trade.entryPrice(),
                trade.exitDate(),
                trade.exitPrice(),
                trade.units(),
                (double) trade.barsHeld(),
                trade.fees(),
                trade.dividends(),
                trade.profit(),
                trade.profitRate(),
                trade.worst(),
                trade.best(),
                trade.reason(),
                trade.open() ? "yes" : "no"));
      }
    }
    return table;
  }
}
