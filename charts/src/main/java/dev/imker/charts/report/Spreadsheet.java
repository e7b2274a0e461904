package dev.imker.charts.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.regex.Pattern;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.jspecify.annotations.Nullable;

/** The tables as sheets of one workbook, with the first pictures on a sheet of their own. */
final class Spreadsheet {
  private static final int MAX_ROWS = 1_000_000;
  private static final int MAX_PICTURES = 12;
  private static final int ROWS_PER_PICTURE = 22;

  private Spreadsheet() {}

  static byte[] of(List<Table> tables, Gallery gallery) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Workbook workbook = new Workbook(out, "Imker", "1.0")) {
      for (Table table : tables) {
        write(workbook.newWorksheet(table.name()), table);
      }
      pictures(workbook, gallery);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return withCharts(out.toByteArray(), tables);
  }

  private static byte[] withCharts(byte[] workbook, List<Table> tables) {
    for (int i = 0; i < tables.size(); i++) {
      Table table = tables.get(i);
      int rows = Math.min(table.rows().size(), MAX_ROWS);
      if (table.name().equals(EquityTable.NAME) && rows > 1) {
        try {
          return NativeCharts.ofAccounts(workbook, i + 1, table, rows);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return workbook;
  }

  private static void write(Worksheet sheet, Table table) {
    for (int column = 0; column < table.header().size(); column++) {
      sheet.value(0, column, table.header().get(column));
      sheet.style(0, column).bold().fillColor("E8EEF7").set();
      sheet.width(column, width(table, column));
    }
    sheet.freezePane(0, 1);
    sheet.pageOrientation("landscape");
    sheet.setFitToPage(true);
    sheet.fitToWidth((short) 1);
    sheet.fitToHeight((short) 0); // as many pages as it takes
    if (!table.rows().isEmpty() && table.header().size() > 2) {
      int last = Math.min(table.rows().size(), MAX_ROWS);
      sheet.setAutoFilter(0, 0, last, table.header().size() - 1);
    }
    int rows = Math.min(table.rows().size(), MAX_ROWS);
    for (int row = 0; row < rows; row++) {
      List<Object> values = table.rows().get(row);
      for (int column = 0; column < values.size(); column++) {
        String name = table.columnOfValue(row, column);
        write(sheet, row + 1, column, name, values.get(column));
      }
    }
  }

  private static double width(Table table, int column) {
    int longest = table.header().get(column).length();
    for (List<Object> row : table.rows().subList(0, Math.min(50, table.rows().size()))) {
      if (row.get(column) instanceof String text) {
        longest = Math.max(longest, text.length());
      }
    }
    return Math.clamp(longest + 2, 10, 60);
  }

  private static void write(Worksheet sheet, int row, int column, String name, Object value) {
    if (value instanceof Double number) {
      if (Double.isFinite(number)) {
        sheet.value(row, column, number);
        sheet.style(row, column).format(ValueKind.of(name).format(number)).set();
      }
      return;
    }
    String text = value.toString();
    LocalDate date = date(text);
    LocalDateTime time = time(text);
    if (date != null) {
      sheet.value(row, column, date);
      sheet.style(row, column).format("yyyy-mm-dd").set();
    } else if (time != null) {
      sheet.value(row, column, time);
      sheet.style(row, column).format("yyyy-mm-dd hh:mm").set();
    } else if (!text.isEmpty()) { // an empty text would be drawn as zero
      sheet.value(row, column, text);
    }
  }

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Pattern TIME = Pattern.compile(DATE.pattern() + " \\d{2}:\\d{2}(:\\d{2})?");

  /** A market may be named like a day that there is not. */
  private static @Nullable LocalDate date(String text) {
    try {
      return DATE.matcher(text).matches() ? LocalDate.parse(text) : null;
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static @Nullable LocalDateTime time(String text) {
    try {
      return TIME.matcher(text).matches() ? LocalDateTime.parse(text.replace(' ', 'T')) : null;
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static void pictures(Workbook workbook, Gallery gallery) {
    List<String> names = gallery.names().stream().limit(MAX_PICTURES).toList();
    if (names.isEmpty()) {
      return;
    }
    Worksheet sheet = workbook.newWorksheet("pictures");
    for (int i = 0; i < names.size(); i++) {
      sheet.addImage(
          i * ROWS_PER_PICTURE, 0, gallery.png(names.get(i)), Pictures.WIDTH, Pictures.HEIGHT);
    }
  }
}
