package dev.imker.charts.report;

import dev.imker.charts.market.CommonCalendar;
import dev.imker.charts.market.Market;
import dev.imker.charts.report.draw.Canvas;
import dev.imker.charts.report.draw.PngCanvas;
import dev.imker.charts.report.draw.SvgCanvas;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import dev.imker.charts.study.AnalysisResult.Surface;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which pictures a result has, by name; each can be drawn on any canvas. */
final class Gallery {
  private final Map<String, Consumer<Canvas>> pictures = new LinkedHashMap<>();
  private final Map<String, byte[]> drawnPngs = new HashMap<>();

  Gallery(AnalysisResult result, List<Market> markets, Courses courses) {
    heatMaps(result);
    if (result.perMarket().size() > 1) {
      allMarkets(
          result, markets.stream().collect(Collectors.toMap(Market::name, Function.identity())));
    }
    for (Courses.Course course : courses.all()) {
      MarketRun run = course.run();
      Market market = course.market();
      String title = run.market() + ": account, buy and hold (grey), drawdown";
      pictures.put(
          "equity-" + course.file(),
          c -> Pictures.account(c, title, course.epochDays(), run.curve(), course.buyAndHold()));
      if (!run.market().equals(CommonCalendar.NAME)) {
        pictures.put("price-" + course.file(), c -> Pictures.price(c, market, run));
      }
    }
  }

  private static int[] days(Market market, MarketRun run) {
    return Arrays.copyOfRange(
        market.epochDays(), run.firstBar(), run.firstBar() + run.curve().length);
  }

  private void heatMaps(AnalysisResult result) {
    Surface surface = result.surface();
    if (surface == null || surface.worth().length == 0) {
      return;
    }
    int count = surface.parameters().size();
    if (count == 1) {
      pictures.put("heat-map", c -> HeatMap.draw(c, surface, result, 0, -1));
    }
    for (int i = 0; i < count; i++) {
      for (int j = i + 1; j < count && pictures.size() < 6; j++) {
        int first = i;
        int second = j;
        String name = pictures.isEmpty() ? "heat-map" : "heat-map-" + (pictures.size() + 1);
        pictures.put(name, c -> HeatMap.draw(c, surface, result, first, second));
      }
    }
  }

  /**
   * The mean of the accounts of all markets, each day that any of them traded. An account that has
   * not begun yet is worth what it begins with, one that has ended what it ended with.
   */
  private void allMarkets(AnalysisResult result, Map<String, Market> byName) {
    TreeMap<Integer, double[]> byDay = new TreeMap<>();
    List<MarketRun> runs =
        result.perMarket().stream()
            .filter(run -> byName.containsKey(run.market()) && run.curve().length > 0)
            .toList();
    for (int m = 0; m < runs.size(); m++) {
      MarketRun run = runs.get(m);
      int[] days = days(Objects.requireNonNull(byName.get(run.market())), run);
      for (int i = 0; i < days.length; i++) {
        double[] row = byDay.computeIfAbsent(days[i], d -> missing(runs.size()));
        row[m] = run.curve()[i];
      }
    }
    if (byDay.isEmpty()) {
      return;
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
    int[] days = byDay.keySet().stream().mapToInt(Integer::intValue).toArray();
    pictures.put(
        "equity",
        c ->
            Pictures.account(
                c, "All markets: mean account and drawdown", days, mean, new double[0]));
  }

  private static double[] missing(int count) {
    double[] row = new double[count];
    Arrays.fill(row, Double.NaN);
    return row;
  }

  List<String> names() {
    return List.copyOf(pictures.keySet());
  }

  byte[] svg(String name) {
    return drawn(name, new SvgCanvas(Pictures.WIDTH, Pictures.HEIGHT));
  }

  byte[] png(String name) {
    return drawnPngs.computeIfAbsent(
        name, n -> drawn(n, new PngCanvas(Pictures.WIDTH, Pictures.HEIGHT)));
  }

  private byte[] drawn(String name, Canvas canvas) {
    pictures.getOrDefault(name, c -> {}).accept(canvas);
    return canvas.bytes();
  }
}
