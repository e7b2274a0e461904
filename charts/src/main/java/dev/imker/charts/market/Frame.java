package dev.imker.charts.market;

import dev.imker.charts.ChartException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long bars are.
 *
 * @param seconds of bars of {@link Unit#TIME}
 */
public record Frame(Unit unit, int seconds) {
  private static final Pattern TIME = Pattern.compile("([1-9]\\d{0,3}) ?(m|min|h|hour)s?");
  private static final int DAY = 86_400;
  private static final int DAYS_OF_WEEK = 7;

  /** 1970 began on a Thursday. */
  private static final int MONDAY = 3;

  /** What bars are measured in. */
  public enum Unit {
    TIME,
    DAY,
    WEEK,
    MONTH
  }

  /** As in 5m, 4h, day, week, month; empty if it is none of them. */
  public static Optional<Frame> parse(String text) {
    String word = text.toLowerCase(Locale.ROOT).strip();
    Matcher time = TIME.matcher(word);
    if (time.matches()) {
      int each = time.group(2).startsWith("m") ? 60 : 3600;
      int seconds = Integer.parseInt(time.group(1)) * each;
      return seconds < DAY ? Optional.of(new Frame(Unit.TIME, seconds)) : Optional.empty();
    }
    return switch (word) {
      case "day" -> Optional.of(new Frame(Unit.DAY, 0));
      case "week" -> Optional.of(new Frame(Unit.WEEK, 0));
      case "month" -> Optional.of(new Frame(Unit.MONTH, 0));
      default -> Optional.empty();
    };
  }

  /** As in files. */
  public String text() {
    if (unit != Unit.TIME) {
      return unit.name().toLowerCase(Locale.ROOT);
    }
    return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
  }

  /**
   * A number for the period that a bar is in; the same for all of a period, and never less later.
   */
  private long period(BarTimes times, int bar) {
    int day = times.tradingDay(bar);
    return switch (unit) {
      case TIME -> {
        Session session = times.session();
        int anchor = session == null ? 0 : session.from();
        long since = times.clock(bar) - anchor;
        long ofDay = Math.floorMod(since, DAY) / seconds;
        yield Math.floorDiv(since, DAY) * DAY + ofDay;
      }
      case DAY -> day;
      case WEEK -> Math.floorDiv(day + MONDAY, DAYS_OF_WEEK);
      case MONTH -> {
        var date = java.time.LocalDate.ofEpochDay(day);
        yield date.getYear() * 12L + date.getMonthValue();
      }
    };
  }

  /** The periods of a market's bars, counted from 0. */
  public int[] periods(Market market) {
    BarTimes times = market.times();
    if (unit == Unit.TIME && !times.isIntraday()) {
      throw new ChartException(
          "%s has one bar per day, which cannot be split into bars of %s."
              .formatted(market.name(), text()));
    }
    if (unit == Unit.TIME && times.length() > seconds) {
      throw new ChartException(
          "%s has bars of %d minutes; those of %s are shorter."
              .formatted(market.name(), times.length() / 60, text()));
    }
    int[] periods = new int[market.bars()];
    long before = period(times, 0);
    for (int bar = 1; bar < periods.length; bar++) {
      long period = period(times, bar);
      periods[bar] = periods[bar - 1] + (period > before ? 1 : 0);
      before = Math.max(period, before);
    }
    return periods;
  }

  /**
   * The market in bars of this length. One of a part of a day is named after its first bar, others
   * after the day of their last.
   *
   * @param periods of {@link #periods}
   */
  public Market of(Market market, int[] periods) {
    int count = periods[periods.length - 1] + 1;
    int[] first = new int[count];
    int[] last = new int[count];
    double[] high = new double[count];
    double[] low = new double[count];
    double[] volume = new double[count];
    for (int bar = periods.length - 1; bar >= 0; bar--) {
      first[periods[bar]] = bar;
    }
    for (int bar = 0; bar < periods.length; bar++) {
      int period = periods[bar];
      boolean begins = first[period] == bar;
      last[period] = bar;
      high[period] = begins ? market.high()[bar] : Math.max(high[period], market.high()[bar]);
      low[period] = begins ? market.low()[bar] : Math.min(low[period], market.low()[bar]);
      volume[period] += market.volume()[bar];
    }
    double[] open = new double[count];
    double[] close = new double[count];
    int[] days = new int[count];
    for (int period = 0; period < count; period++) {
      open[period] = market.open()[first[period]];
      close[period] = market.close()[last[period]];
      days[period] = market.times().tradingDay(last[period]);
    }
    BarTimes times = market.times();
    BarTimes made =
        unit == Unit.TIME
            ? new BarTimes(
                times.at(first).epochDays(),
                times.at(first).seconds(),
                times.at(first).instants(),
                seconds,
                times.session())
            : BarTimes.ofDays(days);
    return new Market(market.name(), made, open, high, low, close, volume).paidAs(market, last);
  }

  public Market of(Market market) {
    return of(market, periods(market));
  }
}
