package dev.imker.charts.market;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * When the bars of a market are, oldest first; the arrays are not to be changed.
 *
 * @param epochDays the day of every bar, where the market is
 * @param seconds since midnight there, when the bar begins; empty if there is one bar a day or less
 * @param instants seconds since 1970 when the bar begins; empty if there is one bar a day or less
 * @param length of a bar, in seconds
 * @param session when the market trades; null: the whole day
 */
public record BarTimes(
    int[] epochDays, int[] seconds, long[] instants, int length, @Nullable Session session) {
  static final int DAY = 86_400;

  static BarTimes ofDays(int[] epochDays) {
    return new BarTimes(epochDays, new int[0], new long[0], DAY, null);
  }

  /** Bars are as long as the shortest time between two of them on a day. */
  static BarTimes ofMoments(int[] epochDays, int[] seconds, long[] instants) {
    int shortest = DAY;
    for (int i = 1; i < instants.length; i++) {
      long gap = instants[i] - instants[i - 1];
      shortest = gap > 0 && gap < shortest ? (int) gap : shortest;
    }
    return new BarTimes(epochDays, seconds, instants, shortest, null);
  }

  /** The same bars, of which the ends are known so far. */
  BarTimes begun() {
    int[] days = new int[bars()];
    int[] begins = new int[bars()];
    long[] moments = new long[bars()];
    for (int bar = 0; bar < days.length; bar++) {
      long clock = clock(bar) - length;
      days[bar] = (int) Math.floorDiv(clock, (long) DAY);
      begins[bar] = (int) Math.floorMod(clock, (long) DAY);
      moments[bar] = instants[bar] - length;
    }
    return new BarTimes(days, begins, moments, length, session);
  }

  public boolean isIntraday() {
    return seconds.length > 0;
  }

  int bars() {
    return epochDays.length;
  }

  /** As in "2024-05-17", or "2024-05-17 09:30". */
  String text(int bar) {
    LocalDate day = LocalDate.ofEpochDay(epochDays[bar]);
    return isIntraday() ? day + " " + LocalTime.ofSecondOfDay(seconds[bar]) : day.toString();
  }

  /** The days, and parts of them, between two bars as {@link #text} names them. */
  public static double daysBetween(String from, String to) {
    return (clock(to) - clock(from)) / (double) DAY;
  }

  private static long clock(String text) {
    boolean ofDay = text.indexOf(' ') < 0;
    LocalDateTime time =
        ofDay ? LocalDate.parse(text).atStartOfDay() : LocalDateTime.parse(text.replace(' ', 'T'));
    return time.toEpochSecond(ZoneOffset.UTC);
  }

  /** Seconds since 1970 by the clock of the market, when a bar begins. */
  public long clock(int bar) {
    return (long) epochDays[bar] * DAY + (isIntraday() ? seconds[bar] : 0);
  }

  /** Seconds since 1970, when a bar begins; for daily ones by the clock of the market. */
  public long begin(int bar) {
    return isIntraday() ? instants[bar] : clock(bar);
  }

  /** When a bar ends, in seconds that may be compared with those of another market. */
  public long end(int bar, BarTimes other) {
    return (isIntraday() && other.isIntraday() ? begin(bar) : clock(bar)) + length;
  }

  /** The bars of these places, which go upwards. */
  BarTimes at(int[] places) {
    return new BarTimes(
        Arrays.stream(places).map(i -> epochDays[i]).toArray(),
        isIntraday() ? Arrays.stream(places).map(i -> seconds[i]).toArray() : seconds,
        isIntraday() ? Arrays.stream(places).mapToLong(i -> instants[i]).toArray() : instants,
        length,
        session);
  }

  BarTimes slice(int from, int to) {
    return new BarTimes(
        Arrays.copyOfRange(epochDays, from, to),
        isIntraday() ? Arrays.copyOfRange(seconds, from, to) : seconds,
        isIntraday() ? Arrays.copyOfRange(instants, from, to) : instants,
        length,
        session);
  }

  BarTimes within(@Nullable Session hours) {
    return new BarTimes(epochDays, seconds, instants, length, hours);
  }

  /** The day that a bar counts for; a session over midnight counts for the day on which it ends. */
  int tradingDay(int bar) {
    boolean evening =
        session != null
            && session.isOverMidnight()
            && isIntraday()
            && seconds[bar] >= session.from();
    return epochDays[bar] + (evening ? 1 : 0);
  }
}
