package dev.imker.charts.market;

import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the user says about a CSV file; everything absent is found out from the file.
 *
 * @param separator between the fields
 * @param decimal '.' or ','
 * @param datePattern a pattern of java.time.format.DateTimeFormatter
 * @param columns our column (date, open, high, low, close, volume, adjusted, dividend) to the
 *     file's header
 * @param adjust whether to scale the prices by the column of adjusted closes
 * @param timeZone where the market is, so that times name the day there; null: as written, and
 *     seconds since 1970 are at midnight UTC
 * @param writtenIn where times that do not tell their zone were written; null: in that of the
 *     market
 * @param endsNamed whether a time is that at which its bar ends
 */
public record CsvDialect(
    @Nullable Character separator,
    @Nullable Character decimal,
    @Nullable String datePattern,
    Map<String, String> columns,
    boolean adjust,
    @Nullable ZoneId timeZone,
    @Nullable ZoneId writtenIn,
    boolean endsNamed) {
  /** Ours, as they are named in {@code columns}. */
  public static final List<String> COLUMNS = CsvColumns.LABELS;

  public static final CsvDialect DETECT = new CsvDialect(null, null, null, Map.of(), false, null);

  public CsvDialect(
      @Nullable Character separator,
      @Nullable Character decimal,
      @Nullable String datePattern,
      Map<String, String> columns,
      boolean adjust,
      @Nullable ZoneId timeZone) {
    this(separator, decimal, datePattern, columns, adjust, timeZone, null, false);
  }

  public CsvDialect {
    columns = Map.copyOf(columns);
  }
}
