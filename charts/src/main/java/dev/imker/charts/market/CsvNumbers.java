package dev.imker.charts.market;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;

/** Reads numbers with decimal point or decimal comma. */
record CsvNumbers(boolean decimalComma) {
  private static final Set<String> MISSING = Set.of("", "-", "null", "nan", "n/a", "na");

  static boolean isMissing(String text) {
    return MISSING.contains(text.toLowerCase(Locale.ROOT));
  }

  /** True if these numbers are written with a decimal comma. */
  static boolean usesDecimalComma(List<String> samples, char separator) {
    boolean grouped = false;
    for (String sample : samples) {
      int comma = sample.lastIndexOf(',');
      int point = sample.lastIndexOf('.');
      if (comma >= 0 && point >= 0) {
        return comma > point;
      }
      if (point >= 0 && sample.indexOf('.') == point && sample.length() - point != 4) {
        return false;
      }
      if (comma >= 0 && (sample.indexOf(',') != comma || sample.length() - comma == 4)) {
        grouped = true;
      } else if (comma >= 0) {
        return true;
      }
    }
    return grouped && separator == ';';
  }

  OptionalDouble parse(String text) {
    char group = decimalComma ? '.' : ',';
    String plain =
        text.replace(String.valueOf(group), "")
            .replace("'", "")
            .replace("\u00A0", "")
            .replace(" ", "");
    plain = decimalComma ? plain.replace(',', '.') : plain;
    try {
      double value = Double.parseDouble(scaled(plain));
      return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** Volumes are often written as 12.5K or 3M; prices sometimes carry a currency sign. */
  private static String scaled(String text) {
    String plain = text.startsWith("$") || text.startsWith("€") ? text.substring(1) : text;
    return switch (plain.isEmpty() ? ' ' : plain.charAt(plain.length() - 1)) {
      case 'K', 'k' -> plain.substring(0, plain.length() - 1) + "e3";
      case 'M', 'm' -> plain.substring(0, plain.length() - 1) + "e6";
      case 'B', 'b' -> plain.substring(0, plain.length() - 1) + "e9";
      default -> plain;
    };
  }
}
