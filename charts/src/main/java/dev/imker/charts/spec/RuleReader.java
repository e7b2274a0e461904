package dev.imker.charts.spec;

import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.SeriesExpr;
import dev.imker.charts.strategy.RuleExpr;
import dev.imker.charts.strategy.RuleExpr.Calendar;
import dev.imker.charts.strategy.RuleExpr.Comparison;
import dev.imker.charts.strategy.RuleExpr.Since;
import dev.imker.charts.strategy.RuleExpr.Stop;
import dev.imker.model.text.NearNames;
import java.time.DayOfWeek;
import java.time.Month;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads rules such as {crossed-up: [fast, slow]}. */
final class RuleReader {
  private static final List<String> NAMES =
      List.of(
          "and",
          "or",
          "not",
          "over",
          "under",
          "at-least",
          "at-most",
          "equal",
          "crossed-up",
          "crossed-down",
          "rising",
          "falling",
          "highest",
          "lowest",
          "between",
          "weekday",
          "month",
          "day-of-month",
          "time",
          "stop-loss",
          "take-profit",
          "trailing-stop",
          "atr-stop-loss",
          "atr-take-profit",
          "atr-trailing-stop",
          "bars-held",
          "days-held",
          "bars-since-exit",
          "always",
          "never");

  private static final Set<String> OF_A_POSITION =
      Set.of(
          "stop-loss",
          "take-profit",
          "trailing-stop",
          "atr-stop-loss",
          "atr-take-profit",
          "atr-trailing-stop",
          "bars-held",
          "days-held");
  private static final double WHOLE_PRICE = 100;
  private static final RuleExpr NOTHING = new RuleExpr.Any(List.of());

  private final SeriesReader series;
  private final Quantities quantities;
  private boolean entering;

  RuleReader(SeriesReader series, Quantities quantities) {
    this.series = series;
    this.quantities = quantities;
  }

  /** A rule; a list stands for all of them (entering) or one of them (leaving). */
  RuleExpr read(YamlValue value, String label, boolean entering) {
    this.entering = entering;
    if (value.isList()) {
      List<RuleExpr> parts = parts(value, label);
      return entering ? new RuleExpr.All(parts) : new RuleExpr.Any(parts);
    }
    return rule(value, label);
  }

  private List<RuleExpr> parts(YamlValue value, String label) {
    List<RuleExpr> parts = new ArrayList<>();
    for (YamlValue item : value.items()) {
      parts.add(item.mistakes().reading(() -> rule(item, label), NOTHING));
    }
    if (parts.isEmpty()) {
      throw value.error("the list of rules is empty.");
    }
    return parts;
  }

  private RuleExpr rule(YamlValue value, String label) {
    if (value.isScalar()) {
      return switch (value.text()) {
        case "always" -> new RuleExpr.All(List.of());
        case "never" -> NOTHING;
        default -> indicator(value, value.text(), label);
      };
    }
    if (!value.isMap() || value.map().size() != 1) {
      throw value.error("expected one rule, as in {crossed-up: [fast, slow]}.");
    }
    var only = value.map().entrySet().iterator().next();
    String name = only.getKey().replace('_', '-');
    return NAMES.contains(name)
        ? named(name, only.getValue(), label + "." + name)
        : indicator(value, name, label + "." + name);
  }

  private RuleExpr indicator(YamlValue value, String name, String label) {
    return series
        .truth(value, label)
        .<RuleExpr>map(RuleExpr.Says::new)
        .orElseThrow(() -> value.unknown("rule", name, suggestions(name)));
  }

  /** A rule is meant more often than an indicator that says yes or no. */
  private List<String> suggestions(String name) {
    return NearNames.nearest(name, NAMES).isPresent()
        ? NAMES
        : Stream.concat(NAMES.stream(), series.truthNames().stream()).toList();
  }

  private RuleExpr named(String name, YamlValue value, String label) {
    if (entering && OF_A_POSITION.contains(name)) {
      throw value.error(
          "'%s' needs an open position, so it never holds in 'enter'. Put it under 'exit'."
              .formatted(name));
    }
    return switch (name) {
      case "and" -> new RuleExpr.All(parts(value, label));
      case "or" -> new RuleExpr.Any(parts(value, label));
      case "not" -> new RuleExpr.Not(rule(value, label));
      case "over" -> compare(Comparison.OVER, value, label);
      case "under" -> compare(Comparison.UNDER, value, label);
      case "at-least" -> compare(Comparison.AT_LEAST, value, label);
      case "at-most" -> compare(Comparison.AT_MOST, value, label);
      case "equal" -> compare(Comparison.EQUAL, value, label);
      case "crossed-up", "crossed-down" -> crossed(name.endsWith("up"), value, label);
      case "rising", "falling" -> moving(name.equals("rising"), value, label);
      case "highest", "lowest" -> extreme(name.equals("highest"), value, label);
      case "between" -> between(value, label);
      case "weekday" -> calendar(Calendar.WEEKDAY, value, names(DayOfWeek.values()));
      case "month" -> calendar(Calendar.MONTH, value, names(Month.values()));
      case "day-of-month" -> calendar(Calendar.DAY_OF_MONTH, value, List.of());
      case "time" -> new RuleExpr.OnClock(DataReader.session(value));
      case "stop-loss" -> stop(Stop.LOSS, value, label);
      case "take-profit" -> stop(Stop.GAIN, value, label);
      case "trailing-stop" -> stop(Stop.TRAILING, value, label);
      case "atr-stop-loss" -> atrStop(Stop.LOSS, value, label);
      case "atr-take-profit" -> atrStop(Stop.GAIN, value, label);
      case "atr-trailing-stop" -> atrStop(Stop.TRAILING, value, label);
      case "bars-held" -> new RuleExpr.After(Since.ENTRY_IN_BARS, quantities.read(value, label));
      case "days-held" -> new RuleExpr.After(Since.ENTRY_IN_DAYS, quantities.read(value, label));
      case "bars-since-exit" ->
          new RuleExpr.After(Since.EXIT_IN_BARS, quantities.read(value, label));
      default -> throw value.error("'" + name + "' takes no value; write it alone.");
    };
  }

  private RuleExpr compare(Comparison how, YamlValue value, String label) {
    List<SeriesExpr> pair = series(value, label, 2, "[left, right]");
    return new RuleExpr.Compare(how, pair.get(0), pair.get(1));
  }

  private RuleExpr crossed(boolean up, YamlValue value, String label) {
    List<SeriesExpr> pair = series(value, label, 2, "[left, right]");
    return new RuleExpr.Crossed(up, pair.get(0), pair.get(1));
  }

  private RuleExpr between(YamlValue value, String label) {
    List<SeriesExpr> three = series(value, label, 3, "[series, lower, upper]");
    return new RuleExpr.All(
        List.of(
            new RuleExpr.Compare(Comparison.AT_LEAST, three.get(0), three.get(1)),
            new RuleExpr.Compare(Comparison.AT_MOST, three.get(0), three.get(2))));
  }

  private List<SeriesExpr> series(YamlValue value, String label, int count, String form) {
    if (!value.isList() || value.items().size() != count) {
      throw value.error("expected %s.".formatted(form));
    }
    return value.items().stream()
        .map(item -> item.mistakes().reading(() -> series.number(item, label), SeriesExpr.CLOSE))
        .toList();
  }

  private RuleExpr moving(boolean up, YamlValue value, String label) {
    Map<String, YamlValue> map = named(value, List.of("of", "bars", "strength"));
    return new RuleExpr.Moving(
        up,
        price(map.get("of"), label),
        quantity(map, "bars", label, 1),
        quantity(map, "strength", label, 1));
  }

  private RuleExpr extreme(boolean highest, YamlValue value, String label) {
    Map<String, YamlValue> map = named(value, List.of("of", "bars"));
    Quantities.require(map, "bars", value);
    return new RuleExpr.AtExtreme(
        highest, price(map.get("of"), label), quantity(map, "bars", label, 1));
  }

  private RuleExpr stop(Stop stop, YamlValue value, String label) {
    if (value.isScalar() || Quantities.looksLikeNumber(value)) {
      return new RuleExpr.StopAt(stop, distance(stop, value, label), SeriesExpr.CLOSE);
    }
    Map<String, YamlValue> map = value.map(List.of("percent", "of"));
    YamlValue percent = Quantities.require(map, "percent", value);
    return new RuleExpr.StopAt(stop, distance(stop, percent, label), price(map.get("of"), label));
  }

  /** Also that of a loss has no sign; and no price falls by all of itself. */
  private Quantity distance(Stop stop, YamlValue value, String label) {
    double above = stop == Stop.GAIN ? Double.POSITIVE_INFINITY : WHOLE_PRICE;
    return quantities.read(value, label, 0, above);
  }

  private RuleExpr atrStop(Stop stop, YamlValue value, String label) {
    Map<String, YamlValue> map = named(value, List.of("bars", "factor"));
    return new RuleExpr.AtrStopAt(
        stop, quantity(map, "bars", label, 14), quantity(map, "factor", label, 2));
  }

  /** A map with these keys, or a list of values in their order. */
  private static Map<String, YamlValue> named(YamlValue value, List<String> keys) {
    if (!value.isList()) {
      return value.map(keys);
    }
    List<YamlValue> items = value.items();
    if (items.size() > keys.size()) {
      throw value.error("expected at most " + String.join(", ", keys) + ".");
    }
    Map<String, YamlValue> map = new LinkedHashMap<>();
    for (int i = 0; i < items.size(); i++) {
      map.put(keys.get(i), items.get(i));
    }
    return map;
  }

  private SeriesExpr price(@Nullable YamlValue value, String label) {
    return value == null ? SeriesExpr.CLOSE : series.number(value, label);
  }

  private Quantity quantity(
      Map<String, YamlValue> map, String key, String label, double otherwise) {
    YamlValue value = map.get(key);
    return value == null ? Quantity.of(otherwise) : quantities.read(value, label + "." + key);
  }

  private static RuleExpr calendar(Calendar calendar, YamlValue value, List<String> names) {
    long mask = 0;
    for (YamlValue item : value.itemsOrSelf()) {
      int most = calendar == Calendar.DAY_OF_MONTH ? 31 : names.size();
      int number = item.asNumber().isPresent() ? item.whole(1) : 1 + place(item, names);
      if (number > most) {
        throw item.error("expected at most " + most + ".");
      }
      mask |= 1L << number;
    }
    return new RuleExpr.OnCalendar(calendar, mask);
  }

  /** A name or its beginning, as in mon or march. */
  private static int place(YamlValue item, List<String> names) {
    String written = item.text().toLowerCase(Locale.ROOT);
    for (int i = 0; i < names.size(); i++) {
      if (written.length() >= 2 && names.get(i).startsWith(written)) {
        return i;
      }
    }
    throw item.unknown("day or month", item.text(), names);
  }

  private static List<String> names(Enum<?>[] constants) {
    return Stream.of(constants).map(c -> c.name().toLowerCase(Locale.ROOT)).toList();
  }
}
