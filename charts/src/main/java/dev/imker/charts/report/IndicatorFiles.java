package dev.imker.charts.report;

import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.kernel.SeriesCache;
import dev.imker.charts.kernel.Surroundings;
import dev.imker.charts.market.CommonCalendar;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.Markets;
import dev.imker.charts.series.Series;
import dev.imker.charts.series.SeriesExpr;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of the indicators that have names, with the chosen numbers, as tables of CSV. */
public final class IndicatorFiles {
  private IndicatorFiles() {}

  /**
   * By the name of the file, from where they are settled, for as many markets as are shown one by
   * one; none for results whose numbers change on the way.
   *
   * @param markets all that there are candles of
   */
  public static Map<String, String> of(
      Analysis analysis, AnalysisResult result, List<Market> markets, JavaIndicators java) {
    Map<String, SeriesExpr> indicators = analysis.strategy().sources().indicators();
    Map<String, String> tables = new LinkedHashMap<>();
    if (indicators.isEmpty()) {
      return tables;
    }
    Surroundings surroundings = new Surroundings(new Markets(markets)::get, java);
    Map<String, String> files = Courses.fileNames(result);
    for (MarketRun run : result.perMarket()) {
      boolean chosen = run.parameters().keySet().containsAll(analysis.space().names());
      if (!chosen || run.curve().length == 0) {
        continue;
      }
      for (Market market : markets) {
        boolean isPart = run.market().equals(CommonCalendar.NAME) && isTraded(analysis, market);
        if (tables.size() < Courses.MAX_MARKETS && (market.name().equals(run.market()) || isPart)) {
          String file = files.getOrDefault(market.name(), Courses.fileName(market.name()));
          tables.put(file, table(analysis, run, indicators, market, surroundings));
        }
      }
    }
    return tables;
  }

  private static boolean isTraded(Analysis analysis, Market market) {
    return !analysis.data().watch().contains(market.name());
  }

  private static String table(
      Analysis analysis,
      MarketRun run,
      Map<String, SeriesExpr> indicators,
      Market market,
      Surroundings surroundings) {
    double[] parameters =
        analysis.space().names().stream()
            .mapToDouble(name -> run.parameters().getOrDefault(name, Double.NaN))
            .toArray();
    SeriesCache cache = new SeriesCache(market, analysis.strategy().seeding(), surroundings);
    List<Series> columns =
        indicators.values().stream()
            .map(indicator -> cache.of(indicator.bind(parameters)))
            .toList();
    StringBuilder text = new StringBuilder("date,close");
    indicators.keySet().forEach(name -> text.append(',').append(CsvText.field(name)));
    text.append('\n');
    for (int bar = 0; bar < market.bars(); bar++) {
      text.append(market.when(bar)).append(',').append(market.close()[bar]);
      for (Series column : columns) {
        double value = column.values()[bar];
        boolean settled = bar >= column.unstableBars() && !Double.isNaN(value);
        text.append(',').append(settled ? Double.toString(value) : "");
      }
      text.append('\n');
    }
    return text.toString();
  }
}
