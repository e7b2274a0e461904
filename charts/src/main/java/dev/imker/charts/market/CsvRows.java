package dev.imker.charts.market;

import dev.imker.charts.ChartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a CSV file as text fields, with the line each came from. */
record CsvRows(Path file, char separator, List<Row> rows) {
  private static final char[] SEPARATORS = {';', '\t', '|', ','};

  record Row(int line, List<String> fields) {}

  static CsvRows read(Path file, @Nullable Character separator) {
    try {
      return read(file, Files.readAllBytes(file), separator);
    } catch (IOException e) {
      throw new ChartException("Cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  static CsvRows read(Path file, byte[] content, @Nullable Character separator) {
    List<String> lines = TableText.of(file, content).lines().toList();
    char used = separator != null ? separator : detectSeparator(file, lines);
    List<Row> rows = new ArrayList<>(lines.size());
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (carriesData(line)) {
        rows.add(new Row(i + 1, split(line, used)));
      }
    }
    return new CsvRows(file, used, rows);
  }

  private static boolean carriesData(String line) {
    return !line.isBlank() && !line.startsWith("#");
  }

  /** The separator that splits the first lines into the same, largest number of fields. */
  private static char detectSeparator(Path file, List<String> lines) {
    List<String> sample = lines.stream().filter(CsvRows::carriesData).limit(20).toList();
    if (sample.isEmpty()) {
      throw new CsvFormatException(file, 1, "the file has no data; expected a header and candles.");
    }
    for (char candidate : SEPARATORS) {
      int fields = split(sample.getFirst(), candidate).size();
      boolean even = sample.stream().allMatch(line -> split(line, candidate).size() == fields);
      if (fields >= 5 && even) {
        return candidate;
      }
    }
    char best = ',';
    for (char candidate : SEPARATORS) {
      if (split(sample.getFirst(), candidate).size() > split(sample.getFirst(), best).size()) {
        best = candidate;
      }
    }
    return best;
  }

  /** Fields without surrounding blanks and quotes; a doubled quote inside quotes is one. */
  static List<String> split(String line, char separator) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        field.append('"');
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == separator && !quoted) {
        fields.add(field.toString().strip());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString().strip());
    return fields;
  }
}
