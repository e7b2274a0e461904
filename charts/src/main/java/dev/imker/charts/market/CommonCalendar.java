package dev.imker.charts.market;

import dev.imker.charts.ChartException;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The days on which any of several markets traded, and which bar of each market that was; of
 * markets with several bars a day, the times at which those begin.
 */
public final class CommonCalendar {
  /** What several markets are called as one. */
  public static final String NAME = "portfolio";

  /** Where a market has no bar on a day. */
  public static final int NO_BAR = -1;

  private final List<Market> members;
  private final BarTimes times;
  private final int[][] bars;
  private final Market index;

  public CommonCalendar(List<Market> members) {
    this.members = List.copyOf(members);
    if (members.stream().anyMatch(market -> market.name().equals(NAME))) {
      throw new ChartException(
          "A market is named '%s', as the account over all markets is; rename its file."
              .formatted(NAME));
    }
    Market first = members.getFirst();
    for (Market market : members) {
      if (market.times().isIntraday() != first.times().isIntraday()) {
        throw new ChartException(
            "%s and %s cannot share an account: one has a candle a day, the other several. Set data.bars: day."
                .formatted(first.name(), market.name()));
      }
    }
    this.times = times(members);
    this.bars = members.stream().map(this::barsByDay).toArray(int[][]::new);
    this.index = index();
  }

  private static BarTimes times(List<Market> members) {
    NavigableMap<Long, long[]> clocks = new TreeMap<>();
    int shortest = BarTimes.DAY;
    for (Market market : members) {
      BarTimes times = market.times();
      shortest = Math.min(shortest, times.length());
      for (int bar = 0; bar < market.bars(); bar++) {
        clocks.put(times.begin(bar), new long[] {times.begin(bar), times.clock(bar)});
      }
    }
    List<long[]> all = List.copyOf(clocks.values());
    int[] days =
        all.stream().mapToInt(at -> (int) Math.floorDiv(at[1], (long) BarTimes.DAY)).toArray();
    if (!members.getFirst().times().isIntraday()) {
      return BarTimes.ofDays(days);
    }
    return new BarTimes(
        days,
        all.stream().mapToInt(at -> (int) Math.floorMod(at[1], (long) BarTimes.DAY)).toArray(),
        all.stream().mapToLong(at -> at[0]).toArray(),
        shortest,
        members.getFirst().times().session());
  }

  private int[] barsByDay(Market market) {
    int[] byDay = new int[times.bars()];
    int next = 0;
    for (int day = 0; day < byDay.length; day++) {
      boolean trades = next < market.bars() && market.times().begin(next) == times.begin(day);
      byDay[day] = trades ? next++ : NO_BAR;
    }
    return byDay;
  }

  /** Every day it changes by the mean of what the closes of the markets changed by. */
  private Market index() {
    double[] level = new double[times.bars()];
    double before = 100;
    for (int day = 0; day < level.length; day++) {
      int today = day;
      double change =
          IntStream.range(0, members.size())
              .filter(member -> bars[member][today] > 0)
              .mapToDouble(member -> members.get(member).gains().gains()[bars[member][today]])
              .average()
              .orElse(0);
      before *= 1 + change;
      level[day] = before;
    }
    return new Market(NAME, times, level, level, level, level, new double[level.length]);
  }

  public List<Market> members() {
    return members;
  }

  public int[] epochDays() {
    return times.epochDays();
  }

  /** The bar of a member on a day, or {@link #NO_BAR}. */
  public int bar(int member, int day) {
    return bars[member][day];
  }

  /** All markets as one, worth 100 at the start, without trading. */
  public Market asMarket() {
    return index;
  }
}
