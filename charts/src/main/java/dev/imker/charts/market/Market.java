package dev.imker.charts.market;

import dev.imker.charts.ChartException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Candles of one market, oldest first, in parallel arrays; of days unless {@link BarTimes} says.
 * The arrays are handed out as they are, for speed: readers must not change them.
 */
public final class Market {
  private final String name;
  private final BarTimes times;
  private final double[] open;
  private final double[] high;
  private final double[] low;
  private final double[] close;
  private final double[] volume;

  private final @Nullable Dividends dividends;

  private volatile @Nullable MarketGains gains;

  public Market(
      String name,
      int[] epochDays,
      double[] open,
      double[] high,
      double[] low,
      double[] close,
      double[] volume) {
    this(name, BarTimes.ofDays(epochDays), open, high, low, close, volume);
  }

  public Market(
      String name,
      BarTimes times,
      double[] open,
      double[] high,
      double[] low,
      double[] close,
      double[] volume) {
    this(name, times, open, high, low, close, volume, null);
  }

  private Market(
      String name,
      BarTimes times,
      double[] open,
      double[] high,
      double[] low,
      double[] close,
      double[] volume,
      @Nullable Dividends dividends) {
    if (times.bars() == 0) {
      throw new ChartException("Market '" + name + "' has no candles.");
    }
    this.name = name;
    this.times = times;
    this.open = open;
    this.high = high;
    this.low = low;
    this.close = close;
    this.volume = volume;
    this.dividends = dividends;
  }

  /**
   * The same candles of a market that pays.
   *
   * @param paid for a unit held at the close before, bar by bar
   */
  public Market paying(double[] paid) {
    return Arrays.stream(paid).allMatch(one -> one == 0) ? this : with(Dividends.of(paid, close));
  }

  private Market with(@Nullable Dividends some) {
    return new Market(name, times, open, high, low, close, volume, some);
  }

  public String name() {
    return name;
  }

  public int bars() {
    return times.bars();
  }

  public BarTimes times() {
    return times;
  }

  public int[] epochDays() {
    return times.epochDays();
  }

  public LocalDate date(int bar) {
    return LocalDate.ofEpochDay(times.epochDays()[bar]);
  }

  /** The day of a bar, with the time if there are several a day. */
  public String when(int bar) {
    return times.text(bar);
  }

  /** The days, and parts of them, from one bar to another. */
  public double daysBetween(int from, int to) {
    return (times.clock(to) - times.clock(from)) / (double) BarTimes.DAY;
  }

  public double[] open() {
    return open;
  }

  public double[] high() {
    return high;
  }

  public double[] low() {
    return low;
  }

  public double[] close() {
    return close;
  }

  public double[] volume() {
    return volume;
  }

  /** Whether any dividend is paid. */
  public boolean pays() {
    return dividends != null;
  }

  /** What is paid on a unit that is held at the closes from one bar until before another. */
  public double dividends(int from, int to) {
    return dividends == null ? 0 : dividends.sums()[to] - dividends.sums()[from];
  }

  /** What one becomes from the close of one bar to that of another, dividends reinvested. */
  public double growth(int from, int to) {
    double[] worth = dividends == null ? close : dividends.reinvested();
    return worth[to] / worth[from];
  }

  /** The same payments on other bars, each of which ends with one of these. */
  Market paidAs(Market source, int[] lastBars) {
    return source.dividends == null ? this : with(source.dividends.at(lastBars));
  }

  /** What holding it gained; computed once. */
  public MarketGains gains() {
    MarketGains known = gains;
    if (known == null) {
      known = MarketGains.of(this);
      gains = known;
    }
    return known;
  }

  public MarketInfo info() {
    return new MarketInfo(name, bars(), when(0), when(bars() - 1));
  }

  /** The candles of bars {@code from} (inclusive) to {@code to} (exclusive). */
  public Market slice(int from, int to) {
    return new Market(
        name,
        times.slice(from, to),
        Arrays.copyOfRange(open, from, to),
        Arrays.copyOfRange(high, from, to),
        Arrays.copyOfRange(low, from, to),
        Arrays.copyOfRange(close, from, to),
        Arrays.copyOfRange(volume, from, to),
        dividends == null ? null : dividends.slice(from, to));
  }

  /** The candles of a session, of a market with several a day. */
  public Market within(Session session) {
    if (!times.isIntraday()) {
      throw new ChartException(
          "Market '%s' has one candle per day; a session cannot be selected from it."
              .formatted(name));
    }
    int[] kept = IntStream.range(0, bars()).filter(i -> session.has(times.seconds()[i])).toArray();
    if (kept.length == 0) {
      throw new ChartException("Market '%s' has no candles within the session.".formatted(name));
    }
    return new Market(
        name,
        times.at(kept).within(session),
        at(open, kept),
        at(high, kept),
        at(low, kept),
        at(close, kept),
        at(volume, kept),
        dividends == null ? null : dividends.at(kept));
  }

  static double[] at(double[] values, int[] places) {
    return Arrays.stream(places).mapToDouble(i -> values[i]).toArray();
  }

  /** The candles from the first to the last day, both inclusive. */
  public Market between(LocalDate first, LocalDate last) {
    int from = 0;
    while (from < bars() && epochDays()[from] < first.toEpochDay()) {
      from++;
    }
    int to = bars();
    while (to > from && epochDays()[to - 1] > last.toEpochDay()) {
      to--;
    }
    if (from == to) {
      throw new ChartException(
          "Market '%s' has no candles%s%s; it has %s to %s."
              .formatted(
                  name,
                  first.equals(LocalDate.MIN) ? "" : " from " + first,
                  last.equals(LocalDate.MAX) ? "" : " until " + last,
                  date(0),
                  date(bars() - 1)));
    }
    return slice(from, to);
  }
}
