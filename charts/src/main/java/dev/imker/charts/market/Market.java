package dev.imker.charts.market;

import dev.imker.charts.ChartException;
import java.time.LocalDate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Daily candles of one market, oldest first, in parallel arrays. The arrays are handed out as they
 * are, for speed: readers must not change them.
 */
public final class Market {
  private final String name;
  private final int[] epochDays;
  private final double[] open;
  private final double[] high;
  private final double[] low;
  private final double[] close;
  private final double[] volume;
  private volatile @Nullable MarketGains gains;

  public Market(
      String name,
      int[] epochDays,
      double[] open,
      double[] high,
      double[] low,
      double[] close,
      double[] volume) {
    if (epochDays.length == 0) {
      throw new ChartException("Market '" + name + "' has no candles.");
    }
    this.name = name;
    this.epochDays = epochDays;
    this.open = open;
    this.high = high;
    this.low = low;
    this.close = close;
    this.volume = volume;
  }

  public String name() {
    return name;
  }

  public int bars() {
    return epochDays.length;
  }

  public int[] epochDays() {
    return epochDays;
  }

  public LocalDate date(int bar) {
    return LocalDate.ofEpochDay(epochDays[bar]);
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

  /** What the closes gained; computed once. */
  public MarketGains gains() {
    MarketGains known = gains;
    if (known == null) {
      known = MarketGains.of(close);
      gains = known;
    }
    return known;
  }

  public MarketInfo info() {
    return new MarketInfo(name, bars(), date(0).toString(), date(bars() - 1).toString());
  }

  /** The candles of bars {@code from} (inclusive) to {@code to} (exclusive). */
  public Market slice(int from, int to) {
    return new Market(
        name,
        Arrays.copyOfRange(epochDays, from, to),
        Arrays.copyOfRange(open, from, to),
        Arrays.copyOfRange(high, from, to),
        Arrays.copyOfRange(low, from, to),
        Arrays.copyOfRange(close, from, to),
        Arrays.copyOfRange(volume, from, to));
  }

  /** The candles from the first to the last day, both inclusive. */
  public Market between(LocalDate first, LocalDate last) {
    int from = 0;
    while (from < bars() && epochDays[from] < first.toEpochDay()) {
      from++;
    }
    int to = bars();
    while (to > from && epochDays[to - 1] > last.toEpochDay()) {
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
