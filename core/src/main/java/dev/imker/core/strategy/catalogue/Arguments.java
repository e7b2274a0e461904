package dev.imker.core.strategy.catalogue;

import dev.imker.core.strategy.StrategyException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Values for the parameters of a strategy, checked as they are read. */
final class Arguments {
  private final String strategy;
  private final Map<String, String> values = new HashMap<>();

  private Arguments(String strategy) {
    this.strategy = strategy;
  }

  /** Reads {@code key=value,key=value}; what is not given has its default. */
  static Arguments parse(String strategy, List<StrategyParameter> parameters, String text) {
    Arguments arguments = new Arguments(strategy);
    parameters.forEach(p -> arguments.values.put(p.name(), p.defaultValue()));
    if (!text.isBlank()) {
      for (String part : text.split(",", -1)) {
        arguments.set(part.strip(), parameters);
      }
    }
    return arguments;
  }

  private void set(String part, List<StrategyParameter> parameters) {
    int equals = part.indexOf('=');
    if (equals < 1) {
      throw new StrategyException(
          "strategy " + strategy + ": expected key=value, got '" + part + "'. " + list(parameters));
    }
    String key = part.substring(0, equals).strip();
    if (!values.containsKey(key)) {
      List<String> names = parameters.stream().map(StrategyParameter::name).toList();
      throw new StrategyException(
          "strategy "
              + strategy
              + " has no parameter '"
              + key
              + "'"
              + StrategyException.suggestion(key, names)
              + ". "
              + list(parameters));
    }
    values.put(key, part.substring(equals + 1).strip());
  }

  private String list(List<StrategyParameter> parameters) {
    if (parameters.isEmpty()) {
      return "It has no parameters";
    }
    StringBuilder text = new StringBuilder("Its parameters:");
    for (StrategyParameter p : parameters) {
      text.append("\n  ").append(p.name()).append('=').append(p.defaultValue());
      text.append("  ").append(p.meaning());
    }
    return text.toString();
  }

  String text(String key) {
    return Objects.requireNonNull(values.get(key), key);
  }

  double number(String key, double min, double max) {
    String text = text(key);
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    if (!(value >= min && value <= max)) {
      throw wrong(key, String.format(Locale.ROOT, "a number from %s to %s", min, max));
    }
    return value;
  }

  int whole(String key, int min, int max) {
    double value = number(key, min, max);
    if (value != Math.rint(value)) {
      throw wrong(key, "a whole number from " + min + " to " + max);
    }
    return (int) value;
  }

  Scale scale(String key) {
    return text(key).equals("dynamic") ? Scale.DYNAMIC : Scale.of(numberOrDynamic(key));
  }

  private double numberOrDynamic(String key) {
    try {
      return number(key, 0, 1000);
    } catch (StrategyException e) {
      throw wrong(key, "a number from 0 to 1000, or 'dynamic'");
    }
  }

  Combined.Uptimes uptimes(String key) {
    return switch (text(key)) {
      case "no" -> Combined.Uptimes.NO;
      case "yes" -> Combined.Uptimes.YES;
      case "improved" -> Combined.Uptimes.IMPROVED;
      default -> throw wrong(key, "no, yes or improved");
    };
  }

  private StrategyException wrong(String key, String wanted) {
    return new StrategyException(
        "strategy " + strategy + ": " + key + "=" + text(key) + " is not " + wanted);
  }
}
