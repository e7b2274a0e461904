package dev.imker.charts.spec;

import dev.imker.charts.market.CsvDialect;
import dev.imker.charts.market.Frame;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.Session;
import dev.imker.charts.market.SyntheticMarkets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads where the candles come from. */
final class DataReader {
  private static final List<String> FIELDS =
      List.of(
          "files", "folder", "set", "synthetic", "csv", "from", "to", "bars", "session", "watch");
  private static final List<String> SOURCES = List.of("files", "folder", "set", "synthetic");

  private DataReader() {}

  static DataSpec read(YamlValue value) {
    Map<String, YamlValue> map = value.map(FIELDS);
    if (SOURCES.stream().filter(map::containsKey).count() != 1) {
      throw value.error("give exactly one of " + String.join(", ", SOURCES) + ".");
    }
    YamlValue files = map.get(map.containsKey("folder") ? "folder" : "files");
    YamlValue set = map.get("set");
    YamlValue synthetic = map.get("synthetic");
    YamlValue csv = map.get("csv");
    YamlValue session = map.get("session");
    return new DataSpec(
        files == null ? List.of() : files.itemsOrSelf().stream().map(YamlValue::text).toList(),
        set == null ? null : set.text(),
        synthetic == null ? null : synthetic(synthetic),
        csv == null ? CsvDialect.DETECT : dialect(csv),
        date(map.get("from")),
        date(map.get("to")),
        value.mistakes().reading(() -> frame(map.get("bars"))),
        session == null ? null : value.mistakes().reading(() -> session(session)),
        watch(map.get("watch")));
  }

  static @Nullable Frame frame(@Nullable YamlValue value) {
    return value == null
        ? null
        : Frame.parse(value.text())
            .orElseThrow(
                () ->
                    value.error(
                        "'%s' is not a bar length; use 5m, 15m, 1h, 4h, day, week or month."
                            .formatted(value.text())));
  }

  static Session session(YamlValue value) {
    try {
      return Session.parse(value.text());
    } catch (DateTimeException e) {
      throw value.error(
          "'%s' is not a session; write start and end, as in 09:30-16:00.".formatted(value.text()));
    }
  }

  private static List<String> watch(@Nullable YamlValue value) {
    return value == null ? List.of() : value.itemsOrSelf().stream().map(YamlValue::text).toList();
  }

  private static @Nullable LocalDate date(@Nullable YamlValue value) {
    return value == null ? null : value.date();
  }

  private static DataSpec.Synthetic synthetic(YamlValue value) {
    Map<String, YamlValue> map = value.map(List.of("markets", "years", "seed", "model"));
    YamlValue model = map.get("model");
    MarketModel chosen =
        model == null
            ? MarketModel.MIXED
            : MarketModel.values()[
                MarketModel.labels().indexOf(model.oneOf("model", MarketModel.labels()))];
    int markets = whole(map.get("markets"), 1);
    int years = whole(map.get("years"), 15);
    String objection = SyntheticMarkets.objection(markets, years);
    if (!objection.isEmpty()) {
      throw value.error(objection);
    }
    return new DataSpec.Synthetic(markets, years, whole(map.get("seed"), 1), chosen);
  }

  private static int whole(@Nullable YamlValue value, int otherwise) {
    return value == null ? otherwise : value.whole(1);
  }

  private static CsvDialect dialect(YamlValue value) {
    Map<String, YamlValue> map =
        value.map(
            List.of(
                "separator",
                "decimal",
                "date",
                "columns",
                "adjust",
                "time-zone",
                "written-in",
                "time-is"));
    YamlValue date = map.get("date");
    YamlValue columns = map.get("columns");
    YamlValue adjust = map.get("adjust");
    YamlValue ends = map.get("time-is");
    Map<String, String> names = new HashMap<>();
    if (columns != null) {
      columns.map(CsvDialect.COLUMNS).forEach((ours, theirs) -> names.put(ours, theirs.text()));
    }
    if (date != null) {
      checkPattern(date);
    }
    return new CsvDialect(
        character(map.get("separator")),
        character(map.get("decimal")),
        date == null ? null : date.text(),
        names,
        adjust != null && adjust.flag(),
        timeZone(map.get("time-zone")),
        timeZone(map.get("written-in")),
        ends != null && ends.oneOf("time-is", List.of("start", "end")).equals("end"));
  }

  private static @Nullable ZoneId timeZone(@Nullable YamlValue value) {
    try {
      return value == null ? null : ZoneId.of(value.text());
    } catch (DateTimeException e) {
      throw value.error(
          "'%s' is not a time zone; write it like Europe/Berlin or UTC.".formatted(value.text()));
    }
  }

  private static void checkPattern(YamlValue date) {
    try {
      var _ = DateTimeFormatter.ofPattern(date.text());
    } catch (IllegalArgumentException e) {
      throw date.error("this is not a date pattern; write it like dd.MM.yyyy.");
    }
  }

  private static @Nullable Character character(@Nullable YamlValue value) {
    if (value == null) {
      return null;
    }
    String text = value.text().equals("tab") || value.text().equals("\\t") ? "\t" : value.text();
    if (text.length() != 1) {
      throw value.error("expected a single character, such as ';'.");
    }
    return text.charAt(0);
  }
}
