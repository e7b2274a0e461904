package dev.imker.charts.report;

import dev.imker.charts.report.draw.Canvas;
import dev.imker.charts.report.draw.Palette;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.AnalysisResult.Surface;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A picture of what combinations are worth, over one or two of their parameters. */
final class HeatMap {
  private static final double LEFT = 80;
  private static final double TOP = 35;
  private static final double HEIGHT_OF_CELLS = Pictures.HEIGHT - 90.0;

  private HeatMap() {}

  /** The worth over two parameters; the best over all others at each point. */
  static void draw(Canvas canvas, Surface surface, AnalysisResult result, int first, int second) {
    double[] xs = distinct(surface, first);
    double[] ys = second < 0 ? new double[] {0} : distinct(surface, second);
    Map<Long, Double> best = bestByCell(surface, xs, ys, first, second);
    double[] range = Axes.range(best.values().stream().mapToDouble(w -> w).toArray());
    double cellWidth = (Pictures.WIDTH - 190.0) / xs.length;
    double cellHeight = HEIGHT_OF_CELLS / ys.length;
    String against = second < 0 ? "" : " and " + surface.parameters().get(second);
    canvas.text(
        10,
        18,
        result.objective() + " by " + surface.parameters().get(first) + against,
        Pictures.TITLE,
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
    names(canvas, surface, first, second);
    mark(canvas, result, xs, ys, new int[] {first, second}, cellWidth, cellHeight);
    legend(canvas, range);
  }

  private static void names(Canvas canvas, Surface surface, int first, int second) {
    String across = surface.parameters().get(first);
    canvas.text(
        (Pictures.WIDTH - 30.0) / 2, Pictures.HEIGHT - 14.0, across + " →", 12, 1, Palette.INK);
    if (second >= 0) {
      canvas.text(10, 31, "↑ " + surface.parameters().get(second), 12, 0, Palette.INK);
    }
  }

  /** A frame around the cell of the chosen combination. */
  private static void mark(
      Canvas canvas,
      AnalysisResult result,
      double[] xs,
      double[] ys,
      int[] axes,
      double width,
      double height) {
    AnalysisResult.Choice best = result.best();
    Surface surface = result.surface();
    if (best == null || surface == null) {
      return;
    }
    double[] chosen =
        surface.parameters().stream()
            .mapToDouble(name -> best.parameters().getOrDefault(name, Double.NaN))
            .toArray();
    int column = Arrays.binarySearch(xs, chosen[axes[0]]);
    int row = axes[1] < 0 ? 0 : Arrays.binarySearch(ys, chosen[axes[1]]);
    if (column < 0 || row < 0) {
      return;
    }
    double x = LEFT + column * width;
    double y = TOP + (ys.length - 1 - row) * height;
    double[] xOfFrame = {x, x + width, x + width, x, x};
    double[] yOfFrame = {y, y, y + height, y + height, y};
    canvas.line(xOfFrame, yOfFrame, Palette.PAPER, 5);
    canvas.line(xOfFrame, yOfFrame, Palette.SELL, 2.5);
    canvas.text(
        Pictures.WIDTH - 15.0, Pictures.HEIGHT - 14.0, "framed: chosen", 12, 2, Palette.SELL);
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
          80 + (i + 0.5) * width,
          Pictures.HEIGHT - 35.0,
          NumberTexts.plain(xs[i]),
          11,
          1,
          Palette.INK);
    }
    int everyRow = (int) Math.ceil(14 / height);
    for (int i = 0; labelled && i < ys.length; i += everyRow) {
      double y = 35 + (ys.length - 0.5 - i) * height + 4;
      canvas.text(74, y, NumberTexts.plain(ys[i]), 11, 2, Palette.INK);
    }
  }

  private static void legend(Canvas canvas, double[] range) {
    int steps = 50;
    double height = HEIGHT_OF_CELLS / steps;
    for (int i = 0; i < steps; i++) {
      double share = i / (steps - 1.0);
      canvas.rectangle(
          Pictures.WIDTH - 90,
          Pictures.HEIGHT - 55 - (i + 1) * height,
          18,
          height + 1,
          Palette.heat(share));
    }
    canvas.text(Pictures.WIDTH - 66, 45, short4(range[1]), 11, 0, Palette.INK);
    canvas.text(Pictures.WIDTH - 66, Pictures.HEIGHT - 57.0, short4(range[0]), 11, 0, Palette.INK);
  }

  private static String short4(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }
}
