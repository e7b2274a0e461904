package dev.imker.charts.report.draw;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Draws SVG, free of any outside resource. */
public final class SvgCanvas implements Canvas {
  private static final String[] ANCHORS = {"start", "middle", "end"};
  private final StringBuilder svg = new StringBuilder();

  public SvgCanvas(int width, int height) {
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            .formatted(width, height, width, height));
    svg.append(" font-family=\"sans-serif\">\n");
    rectangle(0, 0, width, height, Palette.PAPER);
  }

  @Override
  public void rectangle(double x, double y, double width, double height, int colour) {
    svg.append(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/>\n"
            .formatted(n(x), n(y), n(width), n(height), colour(colour)));
  }

  @Override
  public void line(double[] x, double[] y, int colour, double width) {
    svg.append("<polyline fill=\"none\" stroke=\"").append(colour(colour));
    svg.append("\" stroke-width=\"").append(n(width)).append("\" points=\"");
    points(x, y);
  }

  @Override
  public void area(double[] x, double[] y, int colour) {
    svg.append("<polygon fill=\"").append(colour(colour)).append("\" points=\"");
    points(x, y);
  }

  private void points(double[] x, double[] y) {
    for (int i = 0; i < x.length; i++) {
      svg.append(n(x[i])).append(',').append(n(y[i])).append(' ');
    }
    svg.append("\"/>\n");
  }

  @Override
  public void text(double x, double y, String text, int size, int anchor, int colour) {
    svg.append(
        "<text x=\"%s\" y=\"%s\" font-size=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n"
            .formatted(n(x), n(y), size, ANCHORS[anchor], colour(colour), HtmlText.escape(text)));
  }

  @Override
  public byte[] bytes() {
    return (svg + "</svg>\n").getBytes(StandardCharsets.UTF_8);
  }

  private static String colour(int rgb) {
    return "#%06x".formatted(rgb);
  }

  private static String n(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
