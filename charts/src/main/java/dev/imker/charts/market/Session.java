package dev.imker.charts.market;

import java.time.DateTimeException;
import java.time.LocalTime;

/**
 * When a market trades, in seconds since midnight.
 *
 * @param to when the last bar has ended; before {@code from} if the session goes over midnight
 */
public record Session(int from, int to) {
  private static final int DAY = 86_400;

  /**
   * Reads it.
   *
   * @param text as in 09:30-16:00
   * @throws DateTimeException if it is written in another way, or empty
   */
  public static Session parse(String text) {
    String[] ends = text.split("-", -1);
    if (ends.length != 2) {
      throw new DateTimeException("two times are needed");
    }
    int from = LocalTime.parse(ends[0].strip()).toSecondOfDay();
    String end = ends[1].strip();
    int to = end.equals("24:00") ? DAY : LocalTime.parse(end).toSecondOfDay();
    if (from == to) {
      throw new DateTimeException("its start and end are equal");
    }
    return new Session(from, to);
  }

  /** As in files. */
  public String text() {
    String end = to == DAY ? "24:00" : LocalTime.ofSecondOfDay(to).toString();
    return LocalTime.ofSecondOfDay(from) + "-" + end;
  }

  boolean isOverMidnight() {
    return to < from;
  }

  /** Whether a bar that begins then is part of it. */
  public boolean has(int second) {
    return isOverMidnight() ? second >= from || second < to : second >= from && second < to;
  }
}
