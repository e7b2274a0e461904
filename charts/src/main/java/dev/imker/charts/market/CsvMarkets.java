package dev.imker.charts.market;

import dev.imker.charts.market.CsvColumns.Column;
import dev.imker.charts.market.CsvRows.Row;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads candles from CSV files of the usual dialects. */
public final class CsvMarkets {
  private static final List<String> HEADERLESS =
      List.of("date", "open", "high", "low", "close", "volume");
  private static final List<Column> PRICES =
      List.of(Column.OPEN, Column.HIGH, Column.LOW, Column.CLOSE);

  private final CsvRows table;
  private final CsvDialect dialect;
  private final CsvColumns columns;
  private final List<Row> rows;
  private final CsvNumbers numbers;

  private CsvMarkets(Path file, CsvRows table, CsvDialect dialect) {
    this.dialect = dialect;
    this.table = table;
    if (table.rows().isEmpty()) {
      throw new CsvFormatException(file, 1, "the file has no data; expected a header and candles.");
    }
    Row first = table.rows().getFirst();
    boolean headed = first.fields().stream().noneMatch(field -> field.matches("[\\d.,]+"));
    List<String> header =
        headed
            ? first.fields()
            : HEADERLESS.subList(0, Math.min(HEADERLESS.size(), first.fields().size()));
    this.columns = CsvColumns.of(new CsvColumns.Header(file, first.line(), header), dialect);
    this.rows = usableRows(headed ? table.rows().subList(1, table.rows().size()) : table.rows());
    this.numbers = new CsvNumbers(usesDecimalComma());
  }

  /**
   * Reads one market, named after the file. Rows whose prices are missing altogether (as some
   * providers write for holidays) are left out; everything else that is wrong is an error.
   *
   * @throws CsvFormatException if the file cannot be understood; tells line, column and remedy
   */
  public static Market read(Path file, CsvDialect dialect) {
    return new CsvMarkets(file, CsvRows.read(file, dialect.separator()), dialect).market();
  }

  /**
   * As above, with the content at hand.
   *
   * @param file what it is called
   */
  public static Market read(Path file, byte[] content, CsvDialect dialect) {
    return new CsvMarkets(file, CsvRows.read(file, content, dialect.separator()), dialect).market();
  }

  private List<Row> usableRows(List<Row> all) {
    int needed =
        1
            + PRICES.stream()
                .mapToInt(columns::position)
                .reduce(columns.position(Column.DATE), Math::max);
    List<Row> usable = new ArrayList<>(all.size());
    for (Row row : all) {
      if (row.fields().size() < needed) {
        throw new CsvFormatException(
            table.file(),
            row.line(),
            "%d fields where the header has %d; is '%s' the separator?"
                .formatted(row.fields().size(), columns.header().size(), table.separator()));
      }
      if (PRICES.stream().anyMatch(c -> !CsvNumbers.isMissing(field(row, c)))) {
        usable.add(row);
      }
    }
    if (usable.isEmpty()) {
      throw new CsvFormatException(table.file(), 1, "the file has a header but no candles.");
    }
    return usable;
  }

  private boolean usesDecimalComma() {
    Character said = dialect.decimal();
    if (said != null) {
      return said == ',';
    }
    List<String> samples =
        rows.stream()
            .limit(500)
            .flatMap(row -> PRICES.stream().map(column -> field(row, column)))
            .toList();
    return CsvNumbers.usesDecimalComma(samples, table.separator());
  }

  private String field(Row row, Column column) {
    return row.fields().get(columns.position(column));
  }

  private Market market() {
    int[] days = days();
    boolean newestFirst = days.length > 1 && days[0] > days[days.length - 1];
    int n = days.length;
    double[][] values = new double[Column.values().length][n];
    int[] ordered = new int[n];
    for (int i = 0; i < n; i++) {
      int at = newestFirst ? n - 1 - i : i;
      Row row = rows.get(i);
      ordered[at] = days[i];
      readRow(row, values, at);
    }
    checkOrder(ordered, newestFirst);
    return new Market(
        nameOf(table.file()),
        ordered,
        values[Column.OPEN.ordinal()],
        values[Column.HIGH.ordinal()],
        values[Column.LOW.ordinal()],
        values[Column.CLOSE.ordinal()],
        values[Column.VOLUME.ordinal()]);
  }

  private int[] days() {
    List<String> texts = rows.stream().map(row -> field(row, Column.DATE)).toList();
    CsvDates.Outcome outcome = CsvDates.parse(texts, dialect.datePattern(), dialect.timeZone());
    String column = columns.name(Column.DATE);
    if (outcome == null) {
      throw new CsvFormatException(
          table.file(),
          rows.getFirst().line(),
          column,
          "'%s' may be day/month or month/day. Set csv.date, as in dd/MM/yyyy."
              .formatted(texts.getFirst()));
    }
    if (!outcome.complete()) {
      Row row = rows.get(outcome.firstMisfit());
      String problem =
          outcome.firstMisfit() > 0
              ? "'%s' is not a date in %s, as the rows before are."
              : "'%s' is not a date in a format known here. Set csv.date, as in dd.MM.yyyy.";
      throw new CsvFormatException(
          table.file(),
          row.line(),
          column,
          problem.formatted(field(row, Column.DATE), outcome.format().replace('u', 'y')));
    }
    if (outcome.isEpoch() && dialect.timeZone() == null) {
      requireMidnight(texts, column);
    }
    return outcome.epochDays();
  }

  private void requireMidnight(List<String> texts, String column) {
    for (int i = 0; i < texts.size(); i++) {
      Optional<LocalTime> time = CsvDates.timeOfDay(texts.get(i));
      if (time.isPresent()) {
        throw new CsvFormatException(
            table.file(),
            rows.get(i).line(),
            column,
            "'%s' is %s UTC, so the day depends on the time zone. Set csv.time-zone, as in Europe/Berlin."
                .formatted(texts.get(i), time.get()));
      }
    }
  }

  private void readRow(Row row, double[][] values, int at) {
    for (Column price : PRICES) {
      values[price.ordinal()][at] = price(row, price);
    }
    values[Column.VOLUME.ordinal()][at] = volume(row);
    if (dialect.adjust()) {
      adjust(row, values, at);
    }
    double high = values[Column.HIGH.ordinal()][at];
    double low = values[Column.LOW.ordinal()][at];
    if (high < low) {
      throw new CsvFormatException(
          table.file(),
          row.line(),
          columns.name(Column.HIGH),
          "the high %s is below the low %s; are the columns mixed up?".formatted(high, low));
    }
  }

  private double price(Row row, Column column) {
    String text = field(row, column);
    OptionalDouble value = numbers.parse(text);
    if (value.isEmpty()) {
      throw new CsvFormatException(
          table.file(),
          row.line(),
          columns.name(column),
          "'%s' is not a number. If it is written with a comma, set csv.decimal: ','."
              .formatted(text));
    }
    if (value.getAsDouble() <= 0) {
      throw new CsvFormatException(
          table.file(),
          row.line(),
          columns.name(column),
          "the price " + text + " is not positive.");
    }
    return value.getAsDouble();
  }

  private double volume(Row row) {
    if (!columns.has(Column.VOLUME) || columns.position(Column.VOLUME) >= row.fields().size()) {
      return 0;
    }
    String text = field(row, Column.VOLUME);
    OptionalDouble value = numbers.parse(text);
    if (value.isEmpty() && !CsvNumbers.isMissing(text)) {
      throw new CsvFormatException(
          table.file(), row.line(), columns.name(Column.VOLUME), "'" + text + "' is not a number.");
    }
    return value.orElse(0);
  }

  private void adjust(Row row, double[][] values, int at) {
    if (!columns.has(Column.ADJUSTED)) {
      throw new CsvFormatException(
          table.file(), row.line(), "csv.adjust needs a column of adjusted closes; there is none.");
    }
    double ratio = price(row, Column.ADJUSTED) / values[Column.CLOSE.ordinal()][at];
    for (Column price : PRICES) {
      values[price.ordinal()][at] *= ratio;
    }
  }

  private void checkOrder(int[] days, boolean newestFirst) {
    for (int i = 1; i < days.length; i++) {
      if (days[i] <= days[i - 1]) {
        Row row = rows.get(newestFirst ? days.length - 1 - i : i);
        String problem =
            days[i] == days[i - 1]
                ? "a second candle for %s; daily candles are expected, one per day."
                : "%s is out of order; sort the file by date.";
        throw new CsvFormatException(
            table.file(),
            row.line(),
            columns.name(Column.DATE),
            problem.formatted(field(row, Column.DATE)));
      }
    }
  }

  private static String nameOf(Path file) {
    return TableText.stem(String.valueOf(file.getFileName()));
  }
}
