package dev.imker.charts.market;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads the dates of a whole column, in the one format that fits all of them. */
final class CsvDates {
  private static final List<String> PATTERNS =
      List.of(
          "uuuu-MM-dd",
          "dd.MM.uuuu",
          "MM/dd/uuuu",
          "dd/MM/uuuu",
          "uuuuMMdd",
          "uuuu/MM/dd",
          "dd-MM-uuuu",
          "dd.MM.[uu]",
          "dd-MMM-uuuu",
          "dd MMM uuuu",
          "MMM dd, uuuu",
          "uuuu.MM.dd");
  private static final String EPOCH = "seconds or milliseconds since 1970";

  private CsvDates() {}

  /** Days since 1970 of every text, or the index of the first that does not fit. */
  record Outcome(int[] epochDays, String format, int firstMisfit) {
    boolean isEpoch() {
      return format.equals(EPOCH);
    }

    boolean complete() {
      return firstMisfit < 0;
    }
  }

  /**
   * @param zone where dates as seconds since 1970 are days; null: at midnight UTC
   * @return the outcome in the best format, or null if two formats fit and mean different days
   */
  static @Nullable Outcome parse(
      List<String> texts, @Nullable String pattern, @Nullable ZoneId zone) {
    if (pattern != null) {
      return attempt(texts, pattern.replace('y', 'u'), zone);
    }
    List<Outcome> complete = new ArrayList<>();
    Outcome best = attempt(texts, EPOCH, zone);
    for (String candidate : PATTERNS) {
      Outcome outcome = attempt(texts, candidate, zone);
      if (outcome.complete()) {
        complete.add(outcome);
      } else if (!best.complete() && outcome.firstMisfit() > best.firstMisfit()) {
        best = outcome;
      }
    }
    if (complete.isEmpty()) {
      return best;
    }
    List<Outcome> ordered = complete.stream().filter(o -> isOrdered(o.epochDays())).toList();
    if (ordered.size() > 1) {
      return null;
    }
    return ordered.isEmpty() ? complete.getFirst() : ordered.getFirst();
  }

  private static boolean isOrdered(int[] days) {
    boolean up = true;
    boolean down = true;
    for (int i = 1; i < days.length; i++) {
      up &= days[i] > days[i - 1];
      down &= days[i] < days[i - 1];
    }
    return up || down;
  }

  private static Outcome attempt(List<String> texts, String pattern, @Nullable ZoneId zone) {
    DateTimeFormatter formatter = pattern.equals(EPOCH) ? null : formatter(pattern);
    int[] days = new int[texts.size()];
    for (int i = 0; i < days.length; i++) {
      OptionalInt day =
          formatter == null ? epoch(texts.get(i), zone) : day(texts.get(i), formatter);
      if (day.isEmpty()) {
        return new Outcome(days, pattern, i);
      }
      days[i] = day.getAsInt();
    }
    return new Outcome(days, pattern, -1);
  }

  private static DateTimeFormatter formatter(String pattern) {
    DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().parseCaseInsensitive();
    if (pattern.endsWith("[uu]")) {
      builder
          .appendPattern(pattern.substring(0, pattern.length() - 4))
          .appendValueReduced(ChronoField.YEAR, 2, 2, 1970);
    } else {
      builder.appendPattern(pattern);
    }
    return builder.toFormatter(Locale.ENGLISH).withResolverStyle(ResolverStyle.STRICT);
  }

  private static OptionalInt day(String text, DateTimeFormatter formatter) {
    try {
      return OptionalInt.of((int) LocalDate.parse(withoutTime(text), formatter).toEpochDay());
    } catch (DateTimeException e) {
      return OptionalInt.empty();
    }
  }

  /** "2020-01-02T00:00:00Z" and "2020-01-02 17:30" are days as well. */
  private static String withoutTime(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return text;
    }
    int cut = Math.max(text.lastIndexOf(' ', colon), text.lastIndexOf('T', colon));
    return cut > 0 ? text.substring(0, cut).strip() : text;
  }

  private static OptionalInt epoch(String text, @Nullable ZoneId zone) {
    return instant(text)
        .map(instant -> instant.atZone(zone == null ? ZoneOffset.UTC : zone).toLocalDate())
        .map(date -> OptionalInt.of((int) date.toEpochDay()))
        .orElse(OptionalInt.empty());
  }

  private static Optional<Instant> instant(String text) {
    if (!text.matches("\\d{9,13}")) {
      return Optional.empty();
    }
    long number = Long.parseLong(text);
    return Optional.of(
        text.length() > 10 ? Instant.ofEpochMilli(number) : Instant.ofEpochSecond(number));
  }

  /**
   * The time of day, in UTC, of a moment that is no midnight there: which day it is of depends on
   * where one is.
   */
  static Optional<LocalTime> timeOfDay(String text) {
    return instant(text)
        .map(instant -> instant.atZone(ZoneOffset.UTC).toLocalTime())
        .filter(time -> !time.equals(LocalTime.MIDNIGHT));
  }
}
