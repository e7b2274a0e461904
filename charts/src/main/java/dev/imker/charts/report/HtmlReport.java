package dev.imker.charts.report;

import dev.imker.charts.outcome.Figure;
import dev.imker.charts.report.draw.HtmlText;
import dev.imker.charts.study.AnalysisResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** One page with everything in it: opens without a server and without the net. */
final class HtmlReport {
  private static final int MAX_ROWS = 200;
  private static final List<Figure> CARDS =
      List.of(
          Figure.TOTAL_RETURN,
          Figure.BUY_AND_HOLD,
          Figure.CAGR,
          Figure.MAX_DRAWDOWN,
          Figure.SHARPE,
          Figure.TRADES,
          Figure.WIN_RATE,
          Figure.FEES);

  /** Drawn, or better read in the spreadsheet. */
  private static final Set<String> LEFT_OUT = Set.of(EquityTable.NAME);

  private static final Set<String> IN_WORDS = Set.of("rules");

  private final AnalysisResult result;
  private final StringBuilder html = new StringBuilder();

  private HtmlReport(AnalysisResult result) {
    this.result = result;
  }

  static String of(AnalysisResult result, List<Table> tables, Courses courses, Gallery gallery) {
    HtmlReport report = new HtmlReport(result);
    report.head();
    report.cards();
    report.plot(courses);
    for (Table table : tables) {
      if (!LEFT_OUT.contains(table.name())) {
        report.section(table);
      }
    }
    report.pictures(gallery);
    report
        .html
        .append("<script>\n")
        .append(resource("report.js"))
        .append("</script>\n</body></html>\n");
    return report.html.toString();
  }

  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void head() {
    String title = HtmlText.escape(result.name());
    html.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    html.append("<title>").append(title).append("</title><style>\n").append(resource("report.css"));
    html.append("</style></head><body>\n<h1>").append(title).append("</h1>\n<p class=\"quiet\">");
    html.append(HtmlText.escape(subtitle())).append("</p>\n");
    result
        .warnings()
        .forEach(
            note ->
                html.append("<p class=\"note\">").append(HtmlText.escape(note)).append("</p>\n"));
  }

  private String subtitle() {
    int markets = result.markets().size();
    String dates =
        result.perMarket().isEmpty()
            ? ""
            : ", %s to %s"
                .formatted(
                    result.perMarket().stream().map(r -> r.fromDate()).sorted().toList().getFirst(),
                    result.perMarket().stream().map(r -> r.toDate()).sorted().toList().getLast());
    return "%s of %d %s%s%s"
        .formatted(
            capital(result.kind()),
            markets,
            markets == 1 ? "market" : "markets",
            dates,
            result.complete() ? "" : ", not complete");
  }

  private void cards() {
    Map<String, Double> figures = Tables.meanFigures(result);
    if (figures.isEmpty()) {
      return;
    }
    html.append("<div class=\"cards\">");
    for (Figure figure : CARDS) {
      double value = figures.getOrDefault(figure.label(), Double.NaN);
      html.append("<div class=\"card\">").append(figure.label()).append("<b>");
      html.append(NumberTexts.figure(figure, value)).append("</b></div>");
    }
    html.append("</div>\n");
    if (result.perMarket().size() > 1) {
      html.append("<p class=\"quiet\">Means over the markets.</p>\n");
    }
  }

  private void plot(Courses courses) {
    html.append("<div id=\"plot\"></div>\n<script type=\"application/json\" id=\"courses\">");
    html.append(PlotData.json(courses)).append("</script>\n");
  }

  private void section(Table table) {
    html.append("<h2>").append(HtmlText.escape(capital(table.name()))).append("</h2>\n");
    boolean words = IN_WORDS.contains(table.name());
    html.append("<div class=\"scroll\"><table");
    html.append(words ? " class=\"words\"" : "").append("><thead><tr>");
    String head = table.header().size() > 2 ? "<th class=\"sortable\">" : "<th>";
    table.header().forEach(h -> html.append(head).append(HtmlText.escape(h)).append("</th>"));
    html.append("</tr></thead><tbody>\n");
    int shown = Math.min(MAX_ROWS, table.rows().size());
    for (int row = 0; row < shown; row++) {
      row(table, row);
    }
    html.append("</tbody></table></div>\n");
    if (table.rows().size() > shown) {
      html.append(
          "<p class=\"quiet\">%d more rows are in the spreadsheet and the CSV files.</p>\n"
              .formatted(table.rows().size() - shown));
    }
  }

  private void row(Table table, int row) {
    html.append("<tr>");
    List<Object> values = table.rows().get(row);
    for (int column = 0; column < values.size(); column++) {
      Object value = values.get(column);
      boolean coloured = table.name().equals("months") && value instanceof Double;
      String shade = coloured ? shade((double) value) : "";
      String text = text(table.columnOfValue(row, column), value);
      html.append("<td").append(shade).append('>').append(HtmlText.escape(text)).append("</td>");
    }
    html.append("</tr>\n");
  }

  private static String shade(double gain) {
    return gain == 0 ? "" : gain < 0 ? " class=\"loss\"" : " class=\"gain\"";
  }

  private static String text(String column, Object value) {
    if (!(value instanceof Double number)) {
      return value.toString();
    }
    String figure = column.startsWith("mean ") ? column.substring(5) : column;
    return Figure.find(figure)
        .map(f -> NumberTexts.figure(f, number))
        .orElseGet(() -> ValueKind.of(column).text(number));
  }

  private static String capital(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  /** Those that say most are open; one for each market would be a long way to scroll. */
  private void pictures(Gallery gallery) {
    for (String name : gallery.names()) {
      String svg = new String(gallery.svg(name), StandardCharsets.UTF_8);
      boolean general = name.startsWith("heat-map") || name.equals("equity");
      html.append(
          general ? "<figure>" : "<details><summary>" + HtmlText.escape(name) + "</summary>");
      html.append(svg).append(general ? "</figure>\n" : "</details>\n");
    }
  }
}
