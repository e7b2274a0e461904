package dev.imker.charts.market;

import dev.imker.charts.ChartException;
import java.nio.file.Path;

/** A CSV file that cannot be read as candles; tells file, line, column and remedy. */
final class CsvFormatException extends ChartException {
  private static final long serialVersionUID = 1;

  CsvFormatException(Path file, int line, String column, String problem) {
    super("%s, line %d, column '%s': %s".formatted(file.getFileName(), line, column, problem));
  }

  CsvFormatException(Path file, int line, String problem) {
    super("%s, line %d: %s".formatted(file.getFileName(), line, problem));
  }
}
