package dev.imker.charts.market;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
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
  private static final int DAY = 86_400;

  private final Zones zones;
  private final List<CsvClock> clocks;
  private final boolean timed;

  /**
   * Where times are at home.
   *
   * @param market where the market is, whose days count; null: as written, seconds since 1970 in
   *     UTC
   * @param written where times that do not name their zone were written; null: where the market is
   */
  record Zones(@Nullable ZoneId market, @Nullable ZoneId written) {}

  private CsvDates(List<String> texts, Zones zones) {
    this.zones = zones;
    this.clocks = texts.stream().map(CsvClock::of).toList();
    this.timed = clocks.stream().anyMatch(clock -> !clock.time().equals(LocalTime.MIDNIGHT));
  }

  /** When every text is, or the index of the first that does not fit. */
  record Outcome(int[] epochDays, int[] seconds, long[] instants, String format, int firstMisfit) {
    boolean isEpoch() {
      return format.equals(EPOCH);
    }

    boolean complete() {
      return firstMisfit < 0;
    }
  }

  /**
   * @return the outcome in the best format, or null if two formats fit and mean different days
   */
  static @Nullable Outcome parse(List<String> texts, @Nullable String pattern, Zones zones) {
    return new CsvDates(texts, zones).parse(pattern);
  }

  private @Nullable Outcome parse(@Nullable String pattern) {
    if (pattern != null) {
      String ofDay = pattern.replaceAll("('T'|[ T,]+)[Hh].*$", "");
      return attempt(ofDay.replace('y', 'u'));
    }
    List<Outcome> complete = new ArrayList<>();
    Outcome best = attempt(EPOCH);
    for (String candidate : PATTERNS) {
      Outcome outcome = attempt(candidate);
      if (outcome.complete()) {
        complete.add(outcome);
      } else if (!best.complete() && outcome.firstMisfit() > best.firstMisfit()) {
        best = outcome;
      }
    }
    if (complete.isEmpty()) {
      return best;
    }
    List<Outcome> ordered = complete.stream().filter(o -> isOrdered(o.instants())).toList();
    if (ordered.size() > 1) {
      return null;
    }
    return ordered.isEmpty() ? complete.getFirst() : ordered.getFirst();
  }

  private static boolean isOrdered(long[] instants) {
    boolean up = true;
    boolean down = true;
    for (int i = 1; i < instants.length; i++) {
      up &= instants[i] > instants[i - 1];
      down &= instants[i] < instants[i - 1];
    }
    return up || down;
  }

  private Outcome attempt(String pattern) {
    DateTimeFormatter formatter = pattern.equals(EPOCH) ? null : formatter(pattern);
    int count = clocks.size();
    Outcome outcome = new Outcome(new int[count], new int[count], new long[count], pattern, -1);
    for (int i = 0; i < count; i++) {
      boolean fits = formatter == null ? epoch(outcome, i) : dayAndTime(outcome, i, formatter);
      if (!fits) {
        return new Outcome(outcome.epochDays(), outcome.seconds(), outcome.instants(), pattern, i);
      }
    }
    return outcome;
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

  private boolean dayAndTime(Outcome outcome, int place, DateTimeFormatter formatter) {
    CsvClock clock = clocks.get(place);
    try {
      LocalDateTime written = LocalDate.parse(clock.day(), formatter).atTime(clock.time());
      ZoneId zone = clock.offset() != null ? clock.offset() : written();
      if (!timed || zone == null) {
        put(outcome, place, written, written.toEpochSecond(ZoneOffset.UTC));
      } else {
        Instant instant = written.atZone(zone).toInstant();
        ZoneId market = zones.market();
        put(
            outcome,
            place,
            market == null ? written : LocalDateTime.ofInstant(instant, market),
            instant.getEpochSecond());
      }
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private @Nullable ZoneId written() {
    return zones.written() == null ? zones.market() : zones.written();
  }

  private boolean epoch(Outcome outcome, int place) {
    Optional<Instant> found = instant(clocks.get(place).whole());
    found.ifPresent(
        instant -> {
          ZoneId market = zones.market();
          LocalDateTime local =
              LocalDateTime.ofInstant(instant, market == null ? ZoneOffset.UTC : market);
          put(outcome, place, local, instant.getEpochSecond());
        });
    return found.isPresent();
  }

  private static void put(Outcome outcome, int place, LocalDateTime local, long instant) {
    long clock = local.toEpochSecond(ZoneOffset.UTC);
    outcome.epochDays()[place] = (int) Math.floorDiv(clock, (long) DAY);
    outcome.seconds()[place] = (int) Math.floorMod(clock, (long) DAY);
    outcome.instants()[place] = instant;
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
