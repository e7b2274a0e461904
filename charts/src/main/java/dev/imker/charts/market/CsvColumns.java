package dev.imker.charts.market;

import dev.imker.charts.NearestName;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which field of a row holds what. */
record CsvColumns(List<String> header, Map<Column, Integer> positions) {
  enum Column {
    DATE("date", "datum", "day", "tag", "datetime", "timestamp", "time", "zeit", "dtyyyymmdd"),
    TIME("time", "zeit", "uhrzeit"),
    OPEN("open", "o", "eröffnung", "erster", "eroeffnung", "openprice", "1open"),
    HIGH("high", "h", "hoch", "tageshoch", "max", "highprice", "2high"),
    LOW("low", "l", "tief", "tagestief", "min", "lowprice", "3low"),
    CLOSE(
        "close", "c", "schluss", "schlusskurs", "last", "letzter", "price", "closelast", "4close"),
    VOLUME("volume", "vol", "v", "volumen", "stücke", "stück", "umsatz", "5volume", "turnover"),
    ADJUSTED("adjclose", "adjustedclose", "adjusted", "adjustierterschluss"),
    /** Only if it is named: prices may be adjusted already. */
    DIVIDEND();

    private final String names;

    Column(String... names) {
      this.names = String.join(" ", names);
    }

    List<String> names() {
      return List.of(names.split(" "));
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static final List<String> LABELS =
      List.of("date", "time", "open", "high", "low", "close", "volume", "adjusted", "dividend");

  static CsvColumns of(Header source, CsvDialect dialect) {
    Map<Column, Integer> positions = new EnumMap<>(Column.class);
    for (Column column : Column.values()) {
      Integer position = find(source, column, dialect.columns().get(column.label()));
      if (position != null) {
        positions.put(column, position);
      }
    }
    if (Objects.equals(positions.get(Column.TIME), positions.get(Column.DATE))) {
      positions.remove(Column.TIME);
    }
    for (Column needed : List.of(Column.DATE, Column.OPEN, Column.HIGH, Column.LOW, Column.CLOSE)) {
      if (!positions.containsKey(needed)) {
        throw new CsvFormatException(
            source.file(),
            source.line(),
            "no column for '%s'. The header has: %s. Name it under csv.columns, as in {%s: NAME}."
                .formatted(needed.label(), String.join(", ", source.header()), needed.label()));
      }
    }
    return new CsvColumns(source.header(), positions);
  }

  record Header(Path file, int line, List<String> header) {}

  private static @Nullable Integer find(Header source, Column column, @Nullable String wanted) {
    List<String> header = source.header();
    if (wanted != null) {
      int position = header.indexOf(wanted);
      if (position < 0) {
        throw new CsvFormatException(
            source.file(),
            source.line(),
            "there is no column '%s'.%s".formatted(wanted, NearestName.hint(wanted, header)));
      }
      return position;
    }
    for (String name : column.names()) {
      for (int i = 0; i < header.size(); i++) {
        if (!name.isEmpty() && simplified(header.get(i)).equals(name)) {
          return i;
        }
      }
    }
    return null;
  }

  private static String simplified(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
  }

  boolean has(Column column) {
    return positions.containsKey(column);
  }

  int position(Column column) {
    return Objects.requireNonNull(positions.get(column));
  }

  String name(Column column) {
    return header.get(position(column));
  }
}
