package dev.imker.charts.report;

import dev.imker.charts.market.Market;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The courses of a result that can be drawn, each with its market and a name for files. */
record Courses(List<Course> all) {
  static final int MAX_MARKETS = 50;
  private static final double SECONDS_PER_DAY = 86_400;

  /**
   * A course.
   *
   * @param file what files about it are called; no two are the same, whatever the letters' case
   */
  record Course(MarketRun run, Market market, String file) {
    /** What holding the market would have made of the same money, bar by bar. */
    double[] buyAndHold() {
      double[] held = new double[run.curve().length];
      for (int i = 0; i < held.length; i++) {
        held[i] = run.curve()[0] * market.growth(run.firstBar(), run.firstBar() + i);
      }
      return held;
    }

    int[] epochDays() {
      return Arrays.copyOfRange(
          market.epochDays(), run.firstBar(), run.firstBar() + run.curve().length);
    }

    /** Days since 1970, by the clock of the market. */
    double[] days() {
      double[] days = new double[run.curve().length];
      for (int i = 0; i < days.length; i++) {
        days[i] = market.times().clock(run.firstBar() + i) / SECONDS_PER_DAY;
      }
      return days;
    }
  }

  /** Of so many markets as are shown one by one; a market without candles has none. */
  static Courses of(AnalysisResult result, List<Market> markets) {
    Map<String, Market> byName =
        markets.stream().collect(Collectors.toMap(Market::name, Function.identity()));
    Map<String, String> files = fileNames(result);
    List<Course> courses = new ArrayList<>();
    for (MarketRun run : result.perMarket().stream().limit(MAX_MARKETS).toList()) {
      Market market = byName.get(run.market());
      if (market != null && run.curve().length > 0) {
        courses.add(new Course(run, market, files.getOrDefault(run.market(), run.market())));
      }
    }
    return new Courses(courses);
  }

  static String fileName(String market) {
    return market.replaceAll("[^A-Za-z0-9._-]", "_");
  }

  static Map<String, String> fileNames(AnalysisResult result) {
    Map<String, String> names = new LinkedHashMap<>();
    Set<String> taken = new HashSet<>();
    for (MarketRun run : result.perMarket()) {
      String plain = fileName(run.market());
      String name = plain;
      for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
        name = plain + "-" + i;
      }
      names.put(run.market(), name);
    }
    return names;
  }
}
