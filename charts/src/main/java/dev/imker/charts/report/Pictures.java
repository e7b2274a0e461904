package dev.imker.charts.report;

import dev.imker.charts.market.Market;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import dev.imker.charts.study.AnalysisResult.Surface;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The pictures of a report, on any canvas. */
final class Pictures {
  static final int WIDTH = 1000;
  static final int HEIGHT = 420;
  private static final int TITLE = 14;

  private Pictures() {}

  /** The closes of a market with the entries and exits. */
  static void price(Canvas canvas, Market market, MarketRun run) {
    double[] close = market.close();
    Axes axes = new Axes(canvas, WIDTH, 30, HEIGHT - 30, close.length, Axes.range(close));
    canvas.text(10, 18, market.name() + ": price and trades", TITLE, 0, Palette.INK);
    axes.frame(false);
    axes.dates(market.epochDays());
    axes.line(close, Palette.PRICE);
    for (Trade trade : run.trades()) {
      boolean isLong = trade.side().equals("long");
      marker(canvas, axes, trade.entryBar(), trade.entryPrice(), isLong);
      if (!trade.open()) {
        marker(canvas, axes, trade.exitBar(), trade.exitPrice(), !isLong);
      }
    }
  }

  /** A buy points upwards from below, a sale downwards from above. */
  private static void marker(Canvas canvas, Axes axes, int bar, double price, boolean buy) {
    double x = axes.x(bar);
    double tip = axes.y(price) + (buy ? 3 : -3);
    double foot = tip + (buy ? 8 : -8);
    canvas.area(
        new double[] {x, x - 4, x + 4},
        new double[] {tip, foot, foot},
        buy ? Palette.BUY : Palette.SELL);
  }

  /** The account above, its fall from the peak below. */
  static void account(Canvas canvas, String title, int[] epochDays, double[] curve) {
    double split = HEIGHT * 0.66;
    Axes upper = new Axes(canvas, WIDTH, 30, split, curve.length, Axes.range(curve));
    canvas.text(10, 18, title, TITLE, 0, Palette.INK);
    upper.frame(false);
    upper.line(curve, Palette.ACCOUNT);
    double[] falls = falls(curve);
    double[] range = {Axes.range(falls)[0], 0};
    Axes lower = new Axes(canvas, WIDTH, split + 25, HEIGHT - 30, curve.length, range);
    lower.area(falls, Palette.LOSS);
    lower.frame(true);
    lower.dates(epochDays);
  }

  private static double[] falls(double[] curve) {
    double[] falls = new double[curve.length];
    double peak = curve.length == 0 ? 1 : curve[0];
    for (int i = 0; i < curve.length; i++) {
      peak = Math.max(peak, curve[i]);
      falls[i] = peak == 0 ? 0 : curve[i] / peak - 1;
    }
    return falls;
  }

  /** The worth over two parameters; the best over all others at each point. */
  static void heatMap(Canvas canvas, Surface surface, String objective, int first, int second) {
    double[] xs = distinct(surface, first);
    double[] ys = second < 0 ? new double[] {0} : distinct(surface, second);
    Map<Long, Double> best = bestByCell(surface, xs, ys, first, second);
    double[] range = Axes.range(best.values().stream().mapToDouble(w -> w).toArray());
    double cellWidth = (WIDTH - 190.0) / xs.length;
    double cellHeight = (HEIGHT - 90.0) / ys.length;
    String against = second < 0 ? "" : " and " + surface.parameters().get(second);
    canvas.text(
        10,
        18,
        objective + " by " + surface.parameters().get(first) + against,
        TITLE,
        0,
        Palette.INK);
    best.forEach(
        (cell, worth) -> {
          long column = cell / ys.length;
          long row = ys.length - 1 - cell % ys.length;
          int colour = Palette.heat((worth - range[0]) / Math.max(1e-12, range[1] - range[0]));
          canvas.rectangle(
              80 + column * cellWidth, 35 + row * cellHeight, cellWidth, cellHeight, colour);
        });
    scales(canvas, xs, ys, cellWidth, cellHeight, second >= 0);
    legend(canvas, range);
  }

  private static double[] distinct(Surface surface, int parameter) {
    return Arrays.stream(surface.values())
        .mapToDouble(v -> v[parameter])
        .distinct()
        .sorted()
        .toArray();
  }

  private static Map<Long, Double> bestByCell(
      Surface surface, double[] xs, double[] ys, int first, int second) {
    Map<Long, Double> best = new TreeMap<>();
    for (int i = 0; i < surface.worth().length; i++) {
      double worth = surface.worth()[i];
      if (Double.isFinite(worth)) {
        double[] values = surface.values()[i];
        int column = Arrays.binarySearch(xs, values[first]);
        int row = second < 0 ? 0 : Arrays.binarySearch(ys, values[second]);
        best.merge((long) column * ys.length + row, worth, Math::max);
      }
    }
    return best;
  }

  private static void scales(
      Canvas canvas, double[] xs, double[] ys, double width, double height, boolean labelled) {
    int everyColumn = (int) Math.ceil(45 / width);
    for (int i = 0; i < xs.length; i += everyColumn) {
      canvas.text(
          80 + (i + 0.5) * width, HEIGHT - 35.0, NumberTexts.plain(xs[i]), 11, 1, Palette.INK);
    }
    int everyRow = (int) Math.ceil(14 / height);
    for (int i = 0; labelled && i < ys.length; i += everyRow) {
      double y = 35 + (ys.length - 0.5 - i) * height + 4;
      canvas.text(74, y, NumberTexts.plain(ys[i]), 11, 2, Palette.INK);
    }
  }

  private static void legend(Canvas canvas, double[] range) {
    int steps = 50;
    double height = (HEIGHT - 90.0) / steps;
    for (int i = 0; i < steps; i++) {
      double share = i / (steps - 1.0);
      canvas.rectangle(
          WIDTH - 90, HEIGHT - 55 - (i + 1) * height, 18, height + 1, Palette.heat(share));
    }
    canvas.text(WIDTH - 66, 45, short4(range[1]), 11, 0, Palette.INK);
    canvas.text(WIDTH - 66, HEIGHT - 57.0, short4(range[0]), 11, 0, Palette.INK);
  }

  private static String short4(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }
}
