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

  /** With fewer days that have several candles, these are mistakes. */
  private static final int DAYS_PER_MISTAKE = 10;

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
    List<String> header = headed ? first.fields() : headerless(first.fields());
    this.columns = CsvColumns.of(new CsvColumns.Header(file, first.line(), header), dialect);
    this.rows = usableRows(headed ? table.rows().subList(1, table.rows().size()) : table.rows());
    this.numbers = new CsvNumbers(usesDecimalComma());
  }

  private static List<String> headerless(List<String> first) {
    List<String> header = new ArrayList<>(HEADERLESS);
    if (first.size() > 1 && first.get(1).contains(":")) {
      header.add(1, "time");
    }
    return List.copyOf(header.subList(0, Math.min(header.size(), first.size())));
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
            "%d fields, but the header has %d; check whether '%s' is the separator."
                .formatted(row.fields().size(), columns.header().size(), table.separator()));
      }
      if (PRICES.stream().anyMatch(c -> !CsvNumbers.isMissing(field(row, c)))) {
        usable.add(row);
      } else if (pays(row)) {
        throw new CsvFormatException(
            table.file(),
            row.line(),
            columns.name(Column.DIVIDEND),
            "a dividend without prices; write it on the next day that has some.");
      }
    }
    if (usable.isEmpty()) {
      throw new CsvFormatException(table.file(), 1, "the file has a header but no candles.");
    }
    return usable;
  }

  /** Whether a dividend other than 0 is written there. */
  private boolean pays(Row row) {
    return columns.has(Column.DIVIDEND)
        && columns.position(Column.DIVIDEND) < row.fields().size()
        && field(row, Column.DIVIDEND).chars().anyMatch(c -> c >= '1' && c <= '9');
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
    CsvDates.Outcome dates = dates();
    long[] moments = dates.instants();
    int n = moments.length;
    boolean newestFirst = n > 1 && moments[0] > moments[n - 1];
    double[][] values = new double[Column.values().length][n];
    int[] days = new int[n];
    int[] seconds = new int[n];
    long[] instants = new long[n];
    for (int i = 0; i < n; i++) {
      int at = newestFirst ? n - 1 - i : i;
      days[at] = dates.epochDays()[i];
      seconds[at] = dates.seconds()[i];
      instants[at] = moments[i];
      readRow(rows.get(i), values, at);
    }
    return new Market(
            nameOf(table.file()),
            times(days, seconds, instants, newestFirst),
            values[Column.OPEN.ordinal()],
            values[Column.HIGH.ordinal()],
            values[Column.LOW.ordinal()],
            values[Column.CLOSE.ordinal()],
            values[Column.VOLUME.ordinal()])
        .paying(values[Column.DIVIDEND.ordinal()]);
  }

  private BarTimes times(int[] days, int[] seconds, long[] instants, boolean newestFirst) {
    boolean intraday = isIntraday(days, instants);
    for (int i = 1; i < days.length; i++) {
      if (intraday ? instants[i] <= instants[i - 1] : days[i] <= days[i - 1]) {
        throw disorder(newestFirst ? days.length - 1 - i : i, days[i] == days[i - 1], intraday);
      }
    }
    if (!intraday) {
      return BarTimes.ofDays(days);
    }
    BarTimes times = BarTimes.ofMoments(days, seconds, instants);
    return dialect.endsNamed() ? times.begun() : times;
  }

  /** Whether at least every tenth day has several candles; with fewer they are mistakes. */
  private static boolean isIntraday(int[] days, long[] instants) {
    int distinct = 0;
    int several = 0;
    for (int i = 0; i < days.length; i++) {
      boolean begins = i == 0 || days[i] != days[i - 1];
      distinct += begins ? 1 : 0;
      several +=
          begins && i + 1 < days.length && days[i + 1] == days[i] && instants[i + 1] != instants[i]
              ? 1
              : 0;
    }
    return several > 0 && several * DAYS_PER_MISTAKE >= distinct;
  }

  private CsvDates.Outcome dates() {
    List<String> texts = rows.stream().map(this::moment).toList();
    CsvDates.Outcome outcome =
        CsvDates.parse(
            texts,
            dialect.datePattern(),
            new CsvDates.Zones(dialect.timeZone(), dialect.writtenIn()));
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
              : "'%s' is not in a known date format. Set csv.date, as in dd.MM.yyyy.";
      throw new CsvFormatException(
          table.file(),
          row.line(),
          column,
          problem.formatted(field(row, Column.DATE), outcome.format().replace('u', 'y')));
    }
    if (outcome.isEpoch() && dialect.timeZone() == null) {
      requireMidnight(texts, column);
    }
    return outcome;
  }

  private String moment(Row row) {
    String day = field(row, Column.DATE);
    boolean timed = columns.has(Column.TIME) && columns.position(Column.TIME) < row.fields().size();
    return timed ? CsvClock.joined(day, field(row, Column.TIME)) : day;
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
    values[Column.VOLUME.ordinal()][at] = orNothing(row, Column.VOLUME);
    values[Column.DIVIDEND.ordinal()][at] = dividend(row);
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
          "the high %s is below the low %s; check the order of the columns.".formatted(high, low));
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
          "'%s' is not a number. If it uses a decimal comma, set csv.decimal: ','."
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

  private double dividend(Row row) {
    double dividend = orNothing(row, Column.DIVIDEND);
    if (dividend > 0 && dialect.adjust()) {
      throw new CsvFormatException(
          table.file(),
          row.line(),
          columns.name(Column.DIVIDEND),
          "adjusted closes have the dividends in them; leave out csv.adjust or columns.dividend.");
    }
    return dividend;
  }

  private double orNothing(Row row, Column column) {
    if (!columns.has(column) || columns.position(column) >= row.fields().size()) {
      return 0;
    }
    String text = field(row, column);
    OptionalDouble value = numbers.parse(text);
    if (value.isEmpty() && !CsvNumbers.isMissing(text)) {
      throw new CsvFormatException(
          table.file(), row.line(), columns.name(column), "'" + text + "' is not a number.");
    }
    if (value.orElse(0) < 0) {
      throw new CsvFormatException(
          table.file(),
          row.line(),
          columns.name(column),
          "the %s %s is below 0.".formatted(column.label(), text));
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

  private CsvFormatException disorder(int place, boolean sameDay, boolean intraday) {
    Row row = rows.get(place);
    String problem =
        !sameDay
            ? "%s is out of order; sort the file by date."
            : intraday
                ? "a second candle for %s, or one out of order; where clocks are set back,"
                    + " times must include their zone, as in 02:30+01:00."
                : "a second candle for %s; expected one candle per day, or candles with times.";
    return new CsvFormatException(
        table.file(), row.line(), columns.name(Column.DATE), problem.formatted(moment(row)));
  }

  private static String nameOf(Path file) {
    return TableText.stem(String.valueOf(file.getFileName()));
  }
}
