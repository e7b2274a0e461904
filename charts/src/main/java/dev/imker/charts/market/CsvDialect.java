package dev.imker.charts.market;

import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the user says about a CSV file; everything absent is found out from the file.
 *
 * @param separator between the fields
 * @param decimal '.' or ','
 * @param datePattern a pattern of java.time.format.DateTimeFormatter
 * @param columns our column (date, open, high, low, close, volume, adjusted) to the file's header
 * @param adjust whether to scale the prices by the column of adjusted closes
 * @param timeZone where the days are days, for dates as seconds since 1970; null if these are at
 *     midnight UTC
 */
public record CsvDialect(
    @Nullable Character separator,
    @Nullable Character decimal,
    @Nullable String datePattern,
    Map<String, String> columns,
    boolean adjust,
    @Nullable ZoneId timeZone) {
  public static final CsvDialect DETECT = new CsvDialect(null, null, null, Map.of(), false, null);

  public CsvDialect {
    columns = Map.copyOf(columns);
  }
}
