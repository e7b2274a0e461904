package dev.imker.charts.report;

import dev.imker.charts.report.draw.Canvas;
import dev.imker.charts.report.draw.Palette;
import java.time.LocalDate;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** A frame with a scale for dates below and for values at the left. */
final class Axes {
  private static final int FEW_DAYS = 45;
  private static final int MAX_DAYS_NAMED = 8;
  private static final int LEFT = 70;
  private static final int RIGHT = 15;
  private final Canvas canvas;
  private final double top;
  private final double bottom;
  private final double width;
  private final int count;
  private final double least;
  private final double most;

  Axes(Canvas canvas, int pictureWidth, double top, double bottom, int count, double[] range) {
    this.canvas = canvas;
    this.top = top;
    this.bottom = bottom;
    this.width = pictureWidth - LEFT - RIGHT;
    this.count = count;
    double margin = (range[1] - range[0]) * 0.04;
    this.least = range[0] - margin;
    this.most = range[1] > range[0] ? range[1] + margin : range[0] + 1;
  }

  static double[] range(double[] values) {
    double[] range = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (double value : values) {
      if (!Double.isNaN(value)) {
        range[0] = Math.min(range[0], value);
        range[1] = Math.max(range[1], value);
      }
    }
    return range[0] > range[1] ? new double[] {0, 1} : range;
  }

  double x(double index) {
    return LEFT + width * index / Math.max(1, count - 1);
  }

  double y(double value) {
    return bottom - (bottom - top) * (value - least) / (most - least);
  }

  void frame(boolean percent) {
    double step = niceStep((most - least) / 5);
    for (double value = Math.ceil(least / step) * step; value <= most; value += step) {
      canvas.line(
          new double[] {LEFT, LEFT + width}, new double[] {y(value), y(value)}, Palette.FAINT, 1);
      canvas.text(LEFT - 6, y(value) + 4, label(value, step, percent), 11, 2, Palette.INK);
    }
  }

  private static String label(double value, double step, boolean percent) {
    if (percent) {
      return String.format(Locale.ROOT, "%.0f %%", value * 100);
    }
    int digits = step >= 1 ? 0 : (int) Math.ceil(-Math.log10(step));
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  static double niceStep(double raw) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(raw, 1e-12))));
    double digit = raw / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  }

  /** Marks the turns of years, or of months when there are few years. */
  void dates(int[] epochDays) {
    long span = (long) epochDays[epochDays.length - 1] - epochDays[0];
    int everyMonths = span > 3000 ? 24 : span > 1200 ? 12 : span > 400 ? 3 : 1;
    if (span <= FEW_DAYS) {
      days(epochDays);
      return;
    }
    LocalDate before = LocalDate.ofEpochDay(epochDays[0]);
    for (int i = 1; i < epochDays.length; i++) {
      LocalDate day = LocalDate.ofEpochDay(epochDays[i]);
      long months = day.getYear() * 12L + day.getMonthValue() - 1;
      boolean turned = day.getMonthValue() != before.getMonthValue();
      if (turned && months % everyMonths == 0) {
        String text = everyMonths >= 12 ? "" + day.getYear() : day.toString().substring(0, 7);
        canvas.text(x(i), bottom + 16, text, 11, 1, Palette.INK);
      }
      before = day;
    }
  }

  /** Of a history that is too short for months. */
  private void days(int[] epochDays) {
    int last = epochDays[epochDays.length - 1];
    int every = Math.max(1, (last - epochDays[0]) / MAX_DAYS_NAMED);
    int named = epochDays[0];
    for (int i = 1; i < epochDays.length; i++) {
      if (epochDays[i] - named >= every) {
        named = epochDays[i];
        canvas.text(x(i), bottom + 16, LocalDate.ofEpochDay(named).toString(), 11, 1, Palette.INK);
      }
    }
  }

  /** A line through the values; with more values than pixels, the extremes of each pixel. */
  void line(double[] values, int colour) {
    int[] chosen = thinned(values);
    double[] xs = new double[chosen.length];
    double[] ys = new double[chosen.length];
    for (int i = 0; i < chosen.length; i++) {
      xs[i] = x(chosen[i]);
      ys[i] = y(values[chosen[i]]);
    }
    canvas.line(xs, ys, colour, 1.3);
  }

  /** Fills between the values and zero. */
  void area(double[] values, int colour) {
    int[] chosen = thinned(values);
    double[] xs = new double[chosen.length + 2];
    double[] ys = new double[chosen.length + 2];
    for (int i = 0; i < chosen.length; i++) {
      xs[i + 1] = x(chosen[i]);
      ys[i + 1] = y(values[chosen[i]]);
    }
    xs[0] = x(0);
    ys[0] = y(0);
    xs[xs.length - 1] = x(values.length - 1.0);
    ys[ys.length - 1] = y(0);
    canvas.area(xs, ys, colour);
  }

  private int[] thinned(double[] values) {
    int perBucket = Math.max(1, (int) Math.ceil(values.length / width));
    if (perBucket == 1) {
      return IntStream.range(0, values.length).toArray();
    }
    TreeSet<Integer> chosen = new TreeSet<>();
    for (int from = 0; from < values.length; from += perBucket) {
      int low = from;
      int high = from;
      for (int i = from; i < Math.min(values.length, from + perBucket); i++) {
        low = values[i] < values[low] ? i : low;
        high = values[i] > values[high] ? i : high;
      }
      chosen.add(low);
      chosen.add(high);
    }
    return chosen.stream().mapToInt(Integer::intValue).toArray();
  }
}
