package dev.imker.charts.market;

import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text with a date, and perhaps a time behind it, cut in two.
 *
 * @param whole as it was written
 * @param day what stands before the time
 * @param time midnight if there is none
 * @param offset from UTC, if the text tells
 */
record CsvClock(String whole, String day, LocalTime time, @Nullable ZoneOffset offset) {
  private static final Pattern TIME =
      Pattern.compile(
          "(.*?)[ T,]+(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d+)?)?"
              + " ?([AaPp][Mm])? ?(Z|UTC|[+-]\\d{2}(?::?\\d{2})?)?");

  /** "20240517 093000" has no colons. */
  private static final Pattern DIGITS =
      Pattern.compile("(.*\\d)[ T]+(\\d{2})(\\d{2})(\\d{2})?()(Z)?");

  private static final int HALF_DAY = 12;

  static CsvClock of(String text) {
    Matcher match = TIME.matcher(text);
    if (!match.matches()) {
      match = DIGITS.matcher(text);
    }
    if (!match.matches() || match.group(1).isBlank()) {
      return new CsvClock(text, text, LocalTime.MIDNIGHT, null);
    }
    try {
      return new CsvClock(text, match.group(1).strip(), time(match), offset(match.group(6)));
    } catch (DateTimeException e) {
      return new CsvClock(text, text, LocalTime.MIDNIGHT, null);
    }
  }

  private static LocalTime time(Matcher match) {
    int hour = Integer.parseInt(match.group(2));
    String half = match.group(5);
    if (half != null && !half.isEmpty()) {
      boolean afternoon = half.toLowerCase(Locale.ROOT).startsWith("p");
      hour = hour % HALF_DAY + (afternoon ? HALF_DAY : 0);
    }
    String second = match.group(4);
    return LocalTime.of(
        hour, Integer.parseInt(match.group(3)), second == null ? 0 : Integer.parseInt(second));
  }

  private static @Nullable ZoneOffset offset(@Nullable String text) {
    if (text == null) {
      return null;
    }
    return text.equals("UTC") ? ZoneOffset.UTC : ZoneOffset.of(text);
  }

  /**
   * A date and a time that stand in columns of their own; the time may be without colons, an hour
   * alone, or something else, which does not count.
   */
  static String joined(String day, String time) {
    if (time.contains(":")) {
      return day + " " + time;
    }
    if (!time.matches("\\d{1,6}")) {
      return day;
    }
    String whole = time.length() <= 2 ? time + "00" : time;
    int width = whole.length() <= 4 ? 4 : 6;
    return day + " " + "0".repeat(width - whole.length()) + whole;
  }
}
