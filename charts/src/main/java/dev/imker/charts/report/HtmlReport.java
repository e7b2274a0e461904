package dev.imker.charts.report;

import dev.imker.charts.outcome.Figure;
import dev.imker.charts.study.AnalysisResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** One page with everything in it: opens without a server and without the net. */
final class HtmlReport {
  private static final int MAX_ROWS = 200;
  private static final String STYLE =
      """
      :root { color-scheme: light dark; }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
      table { border-collapse: collapse; font-size: 13px; }
      th, td { padding: .25rem .6rem; border-bottom: 1px solid #8884; text-align: right; white-space: nowrap; }
      th:first-child, td:first-child { text-align: left; }
      .scroll { overflow-x: auto; } figure { margin: 1rem 0; } svg { max-width: 100%; height: auto; }
      """;

  private HtmlReport() {}

  static String of(AnalysisResult result, List<Table> tables, Gallery gallery) {
    StringBuilder html = new StringBuilder();
    String title = HtmlText.escape(result.name());
    html.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    html.append("<title>").append(title).append("</title><style>\n").append(STYLE);
    html.append("</style></head><body>\n<h1>").append(title).append("</h1>\n");
    for (Table table : tables) {
      html.append("<h2>").append(HtmlText.escape(capital(table.name()))).append("</h2>\n");
      table(html, table);
      if (table.name().equals("summary")) {
        pictures(html, gallery);
      }
    }
    return html.append("</body></html>\n").toString();
  }

  private static String capital(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private static void pictures(StringBuilder html, Gallery gallery) {
    for (String name : gallery.names()) {
      String svg = new String(gallery.svg(name), StandardCharsets.UTF_8);
      html.append("<figure>").append(svg).append("</figure>\n");
    }
  }

  private static void table(StringBuilder html, Table table) {
    html.append("<div class=\"scroll\"><table><thead><tr>");
    table.header().forEach(h -> html.append("<th>").append(HtmlText.escape(h)).append("</th>"));
    html.append("</tr></thead><tbody>\n");
    int shown = Math.min(MAX_ROWS, table.rows().size());
    for (List<Object> row : table.rows().subList(0, shown)) {
      html.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        String name =
            table.name().equals("summary") ? row.getFirst().toString() : table.header().get(i);
        html.append("<td>").append(HtmlText.escape(text(name, row.get(i)))).append("</td>");
      }
      html.append("</tr>\n");
    }
    html.append("</tbody></table></div>\n");
    if (table.rows().size() > shown) {
      html.append(
          "<p>%d more rows are in the spreadsheet and the CSV files.</p>\n"
              .formatted(table.rows().size() - shown));
    }
  }

  private static String text(String column, Object value) {
    if (!(value instanceof Double number)) {
      return value.toString();
    }
    String figure = column.startsWith("mean ") ? column.substring(5) : column;
    if (column.equals("profit rate")) {
      return NumberTexts.figure(Figure.TOTAL_RETURN, number);
    }
    return Figure.find(figure)
        .map(f -> NumberTexts.figure(f, number))
        .orElseGet(() -> rounded(number));
  }

  private static String rounded(double number) {
    return number == Math.rint(number)
        ? NumberTexts.plain(number)
        : String.format(Locale.ROOT, "%.4g", number);
  }
}
