package dev.imker.charts.report;

import java.util.List;
import java.util.stream.Collectors;

/** A table as CSV: commas, points, quotes where needed. */
final class CsvText {
  private CsvText() {}

  static String of(Table table) {
    StringBuilder text = new StringBuilder();
    text.append(line(table.header())).append('\n');
    for (List<Object> row : table.rows()) {
      text.append(line(row)).append('\n');
    }
    return text.toString();
  }

  private static String line(List<?> values) {
    return values.stream().map(CsvText::field).collect(Collectors.joining(","));
  }

  static String field(Object value) {
    String text = value instanceof Double number ? NumberTexts.plain(number) : value.toString();
    boolean quoted = text.contains(",") || text.contains("\"") || text.contains("\n");
    return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
