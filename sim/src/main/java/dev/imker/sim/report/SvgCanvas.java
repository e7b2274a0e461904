package dev.imker.sim.report;

import java.util.List;
import java.util.Locale;

/** Panels with lines or bars, drawn as SVG. */
final class SvgCanvas {
  /** A named curve; one value per minute. */
  record Curve(String name, float[] values) {}

  /** A named bar with the length of its error bar to either side. */
  record Bar(String name, double value, double spread) {}

  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933");
  private static final int WIDTH = 900;
  private static final int PANEL = 260;
  private static final int LEFT = 60;
  private static final int RIGHT = 170;
  private static final int TOP = 30;
  private static final int BOTTOM = 40;
  private static final int MAX_POINTS = 700;

  private final StringBuilder body = new StringBuilder();
  private int panels;

  /** Curves over minutes; the axis ends at the largest value or at {@code full} if that is more. */
  void lines(String title, double full, List<Curve> curves) {
    double top = full;
    int minutes = 1;
    for (Curve curve : curves) {
      minutes = Math.max(minutes, curve.values().length);
      for (float value : curve.values()) {
        top = Math.max(top, value);
      }
    }
    frame(title, top);
    for (int tick = 0; tick <= 4; tick++) {
      text(x(tick, 4), y(0, 1) + 16, "middle", Integer.toString(minutes * tick / 4) + " min");
    }
    for (int i = 0; i < curves.size(); i++) {
      curve(curves.get(i), i, minutes, top);
      legend(i, curves.get(i).name());
    }
    panels++;
  }

  void bars(String title, List<Bar> bars) {
    double top = bars.stream().mapToDouble(bar -> bar.value() + bar.spread()).max().orElse(1);
    frame(title, top);
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      double from = x(i + 0.15, bars.size());
      double to = x(i + 0.85, bars.size());
      double height = y(0, top) - y(bar.value(), top);
      body.append(
          String.format(
              Locale.ROOT,
              "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'/>%n",
              from,
              y(bar.value(), top),
              to - from,
              height,
              colour(i)));
      double middle = (from + to) / 2;
      body.append(
          String.format(
              Locale.ROOT,
              "<path d='M%.1f %.1fV%.1f' stroke='#333'/>%n",
              middle,
              y(bar.value() - bar.spread(), top),
              y(bar.value() + bar.spread(), top)));
      text(middle, y(0, top) + 16, "middle", String.format(Locale.ROOT, "%.1f", bar.value()));
      legend(i, bar.name());
    }
    panels++;
  }

  String svg() {
    return String.format(
            Locale.ROOT,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'"
                + " font-family='sans-serif' font-size='12'>%n<rect width='100%%' height='100%%'"
                + " fill='white'/>%n",
            WIDTH,
            panels * PANEL)
        + body
        + "</svg>\n";
  }

  private void frame(String title, double top) {
    text(LEFT, panels * PANEL + 18.0, "start", title);
    for (int tick = 0; tick <= 4; tick++) {
      double y = y(tick, 4);
      body.append(
          String.format(
              Locale.ROOT,
              "<path d='M%d %.1fH%d' stroke='#ddd' fill='none'/>%n",
              LEFT,
              y,
              WIDTH - RIGHT));
      text(LEFT - 6.0, y + 4, "end", String.format(Locale.ROOT, "%.0f", top * tick / 4));
    }
  }

  private void curve(Curve curve, int number, int minutes, double top) {
    float[] values = curve.values();
    int step = Math.max(1, values.length / MAX_POINTS);
    body.append("<path fill='none' stroke-width='1.5' stroke='").append(colour(number));
    body.append("' d='");
    for (int i = 0; i < values.length; i += step) {
      body.append(i == 0 ? 'M' : 'L');
      body.append(String.format(Locale.ROOT, "%.1f %.1f", x(i, minutes), y(values[i], top)));
    }
    body.append("'/>\n");
  }

  private void legend(int number, String name) {
    double y = panels * PANEL + TOP + 10 + number * 18.0;
    double x = WIDTH - RIGHT + 14.0;
    body.append(
        String.format(
            Locale.ROOT,
            "<rect x='%.1f' y='%.1f' width='10' height='10' fill='%s'/>%n",
            x,
            y,
            colour(number)));
    text(x + 16, y + 10, "start", name);
  }

  private void text(double x, double y, String anchor, String text) {
    body.append(
        String.format(Locale.ROOT, "<text x='%.1f' y='%.1f' text-anchor='%s'>", x, y, anchor));
    body.append(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
    body.append("</text>\n");
  }

  private double x(double value, double full) {
    return LEFT + value / full * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value, double full) {
    double height = PANEL - TOP - BOTTOM;
    return panels * PANEL + TOP + height * (1 - value / full);
  }

  private static String colour(int number) {
    return COLOURS.get(number % COLOURS.size());
  }
}
