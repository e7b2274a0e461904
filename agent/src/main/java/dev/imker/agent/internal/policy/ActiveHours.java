package dev.imker.agent.internal.policy;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a machine is lent: {@code mon-fri 18:00-08:00}, {@code sat}, {@code 12:00-13:00}. A span
 * that ends before it begins goes on into the next day. No span at all means always.
 */
public record ActiveHours(List<Span> spans) {
  public static final ActiveHours ALWAYS = new ActiveHours(List.of());

  private static final Pattern SPAN =
      Pattern.compile(
          "(?:([a-z]{3})(?:-([a-z]{3}))?)?\\s*(?:(\\d{1,2}:\\d{2})-(\\d{1,2}:\\d{2}))?");
  private static final LocalTime MIDNIGHT = LocalTime.MIDNIGHT;

  /** Hours on some days of the week; {@code to} midnight is the end of the day. */
  public record Span(Set<DayOfWeek> days, LocalTime from, LocalTime to) {
    boolean contains(LocalDateTime time) {
      LocalTime clock = time.toLocalTime();
      DayOfWeek today = time.getDayOfWeek();
      if (to.equals(MIDNIGHT) || from.isBefore(to)) {
        return days.contains(today)
            && !clock.isBefore(from)
            && (to.equals(MIDNIGHT) || clock.isBefore(to));
      }
      return (days.contains(today) && !clock.isBefore(from))
          || (days.contains(today.minus(1)) && clock.isBefore(to));
    }
  }

  public ActiveHours {
    spans = List.copyOf(spans);
  }

  public boolean contains(LocalDateTime time) {
    return spans.isEmpty() || spans.stream().anyMatch(span -> span.contains(time));
  }

  /**
   * @throws IllegalArgumentException when a text is not a span
   */
  static ActiveHours parse(List<String> texts) {
    List<Span> spans = new ArrayList<>();
    for (String text : texts) {
      spans.add(span(text));
    }
    return new ActiveHours(spans);
  }

  private static Span span(String text) {
    Matcher matcher = SPAN.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (text.isBlank() || !matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    String firstDay = matcher.group(1);
    Set<DayOfWeek> days =
        firstDay == null
            ? EnumSet.allOf(DayOfWeek.class)
            : days(day(firstDay), matcher.group(2) == null ? day(firstDay) : day(matcher.group(2)));
    boolean wholeDay = matcher.group(3) == null;
    return new Span(
        days,
        wholeDay ? MIDNIGHT : time(matcher.group(3)),
        wholeDay ? MIDNIGHT : time(matcher.group(4)));
  }

  private static LocalTime time(String text) {
    String padded = text.length() == 4 ? "0" + text : text;
    try {
      return padded.equals("24:00") ? MIDNIGHT : LocalTime.parse(padded);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static Set<DayOfWeek> days(DayOfWeek first, DayOfWeek last) {
    Set<DayOfWeek> days = EnumSet.of(first);
    for (DayOfWeek day = first; day != last; day = day.plus(1)) {
      days.add(day.plus(1));
    }
    return days;
  }

  private static DayOfWeek day(String name) {
    for (DayOfWeek day : DayOfWeek.values()) {
      if (day.name().toLowerCase(Locale.ROOT).startsWith(name)) {
        return day;
      }
    }
    throw new IllegalArgumentException(name);
  }
}
