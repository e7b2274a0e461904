package dev.imker.charts.study;

import java.util.List;

/**
 * A piece of an analysis that can be done anywhere, with the file of the analysis and the candles
 * of one market. Travels as JSON.
 *
 * @param id unique in the analysis
 * @param round units of a round are independent; a round needs the results of those before
 */
public record WorkUnit(String id, int round, String market, List<Run> runs) {
  public WorkUnit {
    runs = List.copyOf(runs);
  }

  /** Bars times combinations: the measure of progress and of size. */
  public long steps() {
    return runs.stream().mapToLong(Run::steps).sum();
  }
}
