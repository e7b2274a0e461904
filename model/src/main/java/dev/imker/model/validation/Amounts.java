package dev.imker.model.validation;

import dev.imker.model.Platform.Resource;
import dev.imker.model.job.Requirements;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts that a machine offers, as people write them. */
public final class Amounts {
  /** Describes the format of {@link #bytes}. */
  public static final String SIZES = "a size such as 512 MB or 4 GB";

  /** Describes the format of {@link #resource} and {@link #items}. */
  public static final String RESOURCES =
      "an amount such as 2, or a list of different items such as [left, right]";

  private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([KMGT]?)i?B?");

  private Amounts() {}

  /**
   * Parses {@code 2} or {@code [left, right]} for a resource.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static Resource resource(String text) {
    if (text.startsWith("[") && text.endsWith("]")) {
      return items(List.of(text.substring(1, text.length() - 1).strip().split("\\s*,\\s*", -1)));
    }
    double amount = Double.parseDouble(text);
    if (!(amount > 0) || amount > JobLimits.MAX_AMOUNT) {
      throw new IllegalArgumentException(text);
    }
    return Resource.of(Requirements.hundredths(amount) / (double) Requirements.HUNDREDTHS);
  }

  /**
   * A resource whose items have names.
   *
   * @throws IllegalArgumentException if there are none, or not all names are valid and different
   */
  public static Resource items(List<String> names) {
    boolean proper = names.stream().allMatch(Requirements::isItemName);
    if (!proper || names.isEmpty() || new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException(names.toString());
    }
    return Resource.of(names);
  }

  /**
   * Parses {@code fpga=2} or {@code camera=[left,right]}.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static Map.Entry<String, Resource> declared(String text) {
    int equals = text.indexOf('=');
    String name = text.substring(0, Math.max(0, equals)).strip();
    if (!Requirements.isResourceName(name)) {
      throw new IllegalArgumentException(text);
    }
    return Map.entry(name, resource(text.substring(equals + 1).strip()));
  }

  /**
   * Parses a size such as {@code 512 MB}.
   *
   * @throws IllegalArgumentException if it is not a size
   */
  public static long bytes(String text) {
    Matcher matcher = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT).replace("IB", "B"));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    int shift = 10 * " KMGT".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
    return Math.round(Double.parseDouble(matcher.group(1)) * (1L << shift));
  }
}
