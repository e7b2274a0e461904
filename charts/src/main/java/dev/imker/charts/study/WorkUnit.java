package dev.imker.charts.study;

import java.util.List;

/**
 * A piece of an analysis that can be done anywhere, with the file of the analysis and the candles
 * of one market. Travels as JSON.
 *
 * @param id unique in the analysis
 * @param round units of a round are independent; a round needs the results of those before
 * @param place its place in a group of units with the same combinations on several markets, which
 *     had best be done by the same task; from 0
 * @param together how many such units there are; 1 for one that stands alone
 */
public record WorkUnit(
    String id, int round, String market, List<Run> runs, int place, int together) {
  public WorkUnit {
    runs = List.copyOf(runs);
  }

  /** One that stands alone. */
  public WorkUnit(String id, int round, String market, List<Run> runs) {
    this(id, round, market, runs, 0, 1);
  }

  /** Bars times combinations: the measure of progress and of size. */
  public long steps() {
    return runs.stream().mapToLong(Run::steps).sum();
  }
}
