package dev.imker.charts.report;

import dev.imker.charts.market.CommonCalendar;
import dev.imker.charts.market.Market;
import dev.imker.charts.report.draw.Canvas;
import dev.imker.charts.report.draw.PngCanvas;
import dev.imker.charts.report.draw.SvgCanvas;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import dev.imker.charts.study.AnalysisResult.Surface;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private void allMarkets(AnalysisResult result, Map<String, Market> byName) {
    MeanAccount mean = MeanAccount.of(result.perMarket(), byName);
    if (mean.worth().length > 0) {
      String title = "All markets: mean account and drawdown";
      pictures.put(
          "equity", c -> Pictures.account(c, title, mean.epochDays(), mean.worth(), new double[0]));
    }
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
