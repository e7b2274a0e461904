package dev.imker.charts.spec;

import dev.imker.charts.search.Parameter;
import dev.imker.charts.series.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads numbers, and collects those that are ranges or lists as parameters. */
final class Quantities {
  private static final Set<String> RANGE = Set.of("from", "to", "step", "name");
  private static final int MAX_VALUES = 100_000;

  private final List<Parameter> parameters = new ArrayList<>();
  private final Set<String> broken = new HashSet<>();
  private final boolean mayVary;

  Quantities(boolean mayVary) {
    this.mayVary = mayVary;
  }

  List<Parameter> parameters() {
    return parameters;
  }

  /** A number, {from, to, step}, a list of numbers, or $name of a declared parameter. */
  static boolean looksLikeNumber(YamlValue value) {
    if (value.isMap()) {
      return !value.map().isEmpty() && RANGE.containsAll(value.map().keySet());
    }
    if (value.isList()) {
      List<YamlValue> items = value.items();
      return !items.isEmpty() && items.stream().allMatch(i -> i.asNumber().isPresent());
    }
    return value.asNumber().isPresent() || value.text().startsWith("$");
  }

  /** Declares the parameters of the section of that name. */
  void declare(YamlValue section) {
    section
        .map()
        .forEach(
            (name, value) -> {
              if (section.mistakes().reading(() -> add(name, value)) == null) {
                broken.add("$" + name);
              }
            });
  }

  /**
   * @param label names the parameter if it is one
   */
  Quantity read(YamlValue value, String label) {
    if (value.asNumber().isPresent()) {
      return Quantity.of(value.number());
    }
    if (value.isScalar()) {
      return declared(value);
    }
    if (!looksLikeNumber(value)) {
      throw value.error("expected a number, {from, to, step}, a list of numbers, or $name.");
    }
    return new Quantity.Parameter(add(label, value));
  }

  /**
   * As {@link #read(YamlValue, String)}; every number that it may be has to be in these bounds.
   *
   * @param above what it may not reach
   */
  Quantity read(YamlValue value, String label, double least, double above) {
    Quantity quantity = read(value, label);
    double[] numbers =
        switch (quantity) {
          case Quantity.Fixed fixed -> new double[] {fixed.value()};
          case Quantity.Parameter parameter -> parameters.get(parameter.index()).values();
        };
    for (double number : numbers) {
      if (number < least || number >= above) {
        throw value.error(
            above == Double.POSITIVE_INFINITY
                ? "expected a number of at least %.0f.".formatted(least)
                : "expected a number of at least %.0f and below %.0f.".formatted(least, above));
      }
    }
    return quantity;
  }

  private Quantity declared(YamlValue value) {
    List<String> names = parameters.stream().map(Parameter::name).toList();
    if (!value.text().startsWith("$")) {
      throw value.notANumber();
    }
    if (broken.contains(value.text())) {
      return Quantity.of(1);
    }
    int index = names.indexOf(value.text().substring(1));
    if (index < 0) {
      if (names.isEmpty()) {
        throw value.error("there are no parameters; define them under 'parameters:' at the top.");
      }
      throw value.unknown("parameter", value.text().substring(1), names);
    }
    return new Quantity.Parameter(index);
  }

  private int add(String label, YamlValue value) {
    if (!mayVary) {
      throw value.error(
          "a backtest needs one number here. For a range, use 'kind: optimise' at the top.");
    }
    String name =
        value.isMap() && value.map().containsKey("name")
            ? require(value.map(), "name", value).text()
            : label;
    double[] values = value.isMap() ? range(value) : list(value);
    parameters.add(new Parameter(unique(identifier(name)), values));
    return parameters.size() - 1;
  }

  private String unique(String name) {
    List<String> names = parameters.stream().map(Parameter::name).toList();
    String candidate = name;
    for (int i = 2; names.contains(candidate); i++) {
      candidate = name + "_" + i;
    }
    return candidate;
  }

  static String identifier(String label) {
    return label.replaceAll("[^A-Za-z0-9_.]", "_");
  }

  private static double[] list(YamlValue value) {
    double[] values = value.itemsOrSelf().stream().mapToDouble(YamlValue::number).toArray();
    if (values.length == 0) {
      throw value.error("the list is empty; give at least one number.");
    }
    return values;
  }

  private static double[] range(YamlValue value) {
    Map<String, YamlValue> map = value.map(List.of("from", "to", "step", "name"));
    double from = require(map, "from", value).number();
    double to = require(map, "to", value).number();
    YamlValue stepValue = map.get("step");
    double step = stepValue == null ? 1 : stepValue.number();
    if (!(step > 0) || to < from) {
      throw value.error("a range needs from <= to and a step above 0.");
    }
    double count = Math.floor((to - from) / step + 1e-9) + 1;
    if (count > MAX_VALUES) {
      throw value.error("the range has %.0f values; %d is the limit.".formatted(count, MAX_VALUES));
    }
    double[] values = new double[(int) count];
    for (int i = 0; i < values.length; i++) {
      values[i] = clean(from + i * step);
    }
    return values;
  }

  /** 0.1 * 3 is to be 0.3. */
  private static double clean(double value) {
    return Math.rint(value * 1e10) / 1e10;
  }

  static YamlValue require(Map<String, YamlValue> map, String key, YamlValue parent) {
    YamlValue value = map.get(key);
    if (value == null) {
      throw parent.error("'" + key + "' is missing.");
    }
    return value;
  }
}
