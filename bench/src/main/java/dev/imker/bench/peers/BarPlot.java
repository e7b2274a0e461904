package dev.imker.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Horizontal bars on a logarithmic axis, with whiskers from the least to the largest round. */
final class BarPlot {
  private static final int WIDTH = 860;
  private static final int LEFT = 230;
  private static final int ROW = 30;
  private static final int TOP = 44;

  private BarPlot() {}

  static void write(Path file, String title, List<Series> all) throws IOException {
    List<Series> series = all.stream().filter(one -> !one.isEmpty()).toList();
    double from =
        Math.floor(Math.log10(series.stream().mapToDouble(Series::least).min().orElse(1)));
    double to =
        Math.ceil(Math.log10(series.stream().mapToDouble(Series::largest).max().orElse(10)));
    double scale = (WIDTH - LEFT - 110) / Math.max(1, to - from);
    int height = TOP + ROW * series.size() + 34;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
                + " font-size='13'><rect width='100%%' height='100%%' fill='white'/>%n"
                + "<text x='12' y='24' font-size='15' font-weight='bold'>%s</text>%n",
            WIDTH,
            height,
            title));
    for (double power = from; power <= to; power++) {
      double x = LEFT + (power - from) * scale;
      svg.append(
          String.format(
              Locale.ROOT,
              "<path d='M%.0f %dV%d' stroke='#ddd'/><text x='%.0f' y='%d' text-anchor='middle'"
                  + " fill='#555'>%s</text>%n",
              x,
              TOP - 8,
              height - 28,
              x,
              height - 12,
              power < 0
                  ? Double.toString(Math.pow(10, power))
                  : String.format(Locale.ROOT, "%,.0f", Math.pow(10, power))));
    }
    for (int i = 0; i < series.size(); i++) {
      Series one = series.get(i);
      int y = TOP + i * ROW;
      double end = LEFT + (Math.log10(one.median()) - from) * scale;
      double least = LEFT + (Math.log10(one.least()) - from) * scale;
      double largest = LEFT + (Math.log10(one.largest()) - from) * scale;
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x='%d' y='%d' text-anchor='end'>%s</text><rect x='%d' y='%d' width='%.1f'"
                  + " height='18' fill='%s'/><path d='M%.1f %dH%.1f' stroke='#222'/>"
                  + "<text x='%.1f' y='%d'>%s</text>%n",
              LEFT - 10,
              y + 14,
              one.name(),
              LEFT,
              y,
              Math.max(1, end - LEFT),
              one.name().startsWith("Imker") ? "#d55e00" : "#7f9bb3",
              least,
              y + 9,
              largest,
              Math.max(end, largest) + 8,
              y + 14,
              Series.figure(one.median())));
    }
    Files.writeString(file, svg.append("</svg>\n"));
  }
}
