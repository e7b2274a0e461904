package dev.imker.charts.report;

import dev.imker.charts.outcome.Figure;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** NumberTexts as people read them. */
final class NumberTexts {
  private NumberTexts() {}

  /** 20 instead of 20.0. */
  static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  static String figure(Figure figure, double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    if (figure.isRate()) {
      return String.format(Locale.ROOT, "%.2f %%", value * 100);
    }
    return figure == Figure.TRADES
        ? plain(Math.rint(value * 10) / 10)
        : String.format(Locale.ROOT, figure.isMoney() ? "%,.2f" : "%.3f", value);
  }

  static String parameters(Map<String, Double> parameters) {
    return parameters.entrySet().stream()
        .map(e -> e.getKey() + " = " + plain(e.getValue()))
        .collect(Collectors.joining(", "));
  }
}
