package dev.imker.charts.market;

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
 */
public record CsvDialect(
    @Nullable Character separator,
    @Nullable Character decimal,
    @Nullable String datePattern,
    Map<String, String> columns,
    boolean adjust) {
  public static final CsvDialect DETECT = new CsvDialect(null, null, null, Map.of(), false);

  public CsvDialect {
    columns = Map.copyOf(columns);
  }
}
