package dev.imker.cli.options;

import dev.imker.model.ImkerException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as people write them: 90s, 30m, 2h, 1d, 1h30m. */
public final class TimeSpan {
  private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d|w)");
  private static final Pattern ALL = Pattern.compile("(" + PART.pattern() + ")+");
  private static final Map<String, Long> UNITS =
      Map.of(
          "ms",
          1L,
          "s",
          1_000L,
          "m",
          60_000L,
          "h",
          3_600_000L,
          "d",
          86_400_000L,
          "w",
          604_800_000L);

  private TimeSpan() {}

  /**
   * Milliseconds.
   *
   * @param bareUnit what a number without a unit counts: s, m, d
   */
  public static long millis(String option, String text, String bareUnit) {
    String written = text.matches("\\d{1,9}") ? text + bareUnit : text;
    if (!ALL.matcher(written).matches()) {
      throw new ImkerException(
          option + " " + text + ": write a time such as 90s, 30m, 2h, 1d or 1h30m.");
    }
    long millis = 0;
    Matcher part = PART.matcher(written);
    while (part.find()) {
      millis += Long.parseLong(part.group(1)) * UNITS.getOrDefault(part.group(2), 1L);
    }
    return millis;
  }

  /** Whole days, rounded up; a number without a unit counts days. */
  public static long days(String option, String text) {
    return Math.ceilDiv(millis(option, text, "d"), 86_400_000L);
  }
}
