package dev.imker.charts.market;

import dev.imker.charts.ChartException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The days on which any of several markets traded, and which bar of each market that was. */
public final class CommonCalendar {
  /** What several markets are called as one. */
  public static final String NAME = "portfolio";

  /** Where a market has no bar on a day. */
  public static final int NO_BAR = -1;

  private final List<Market> members;
  private final int[] epochDays;
  private final int[][] bars;
  private final Market index;

  public CommonCalendar(List<Market> members) {
    this.members = List.copyOf(members);
    if (members.stream().anyMatch(market -> market.name().equals(NAME))) {
      throw new ChartException(
          "A market is named '%s', as the account over all markets is; rename its file."
              .formatted(NAME));
    }
    this.epochDays =
        members.stream()
            .flatMapToInt(market -> Arrays.stream(market.epochDays()))
            .sorted()
            .distinct()
            .toArray();
    this.bars = members.stream().map(this::barsByDay).toArray(int[][]::new);
    this.index = index();
  }

  private int[] barsByDay(Market market) {
    int[] byDay = new int[epochDays.length];
    int next = 0;
    for (int day = 0; day < byDay.length; day++) {
      boolean trades = next < market.bars() && market.epochDays()[next] == epochDays[day];
      byDay[day] = trades ? next++ : NO_BAR;
    }
    return byDay;
  }

  /** Every day it changes by the mean of what the closes of the markets changed by. */
  private Market index() {
    double[] level = new double[epochDays.length];
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
    return new Market(NAME, epochDays, level, level, level, level, new double[level.length]);
  }

  public List<Market> members() {
    return members;
  }

  public int days() {
    return epochDays.length;
  }

  public int[] epochDays() {
    return epochDays;
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
