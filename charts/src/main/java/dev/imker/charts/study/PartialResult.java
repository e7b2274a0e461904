package dev.imker.charts.study;

import dev.imker.charts.strategy.Trade;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came out of a unit, one outcome per run of it.
 *
 * @param problem why some combination could not be computed, if one could not
 */
public record PartialResult(WorkUnit unit, List<Outcome> outcomes, @Nullable String problem) {
  public PartialResult {
    outcomes = List.copyOf(outcomes);
  }

  /**
   * The outcome of a run.
   *
   * @param fromDate ISO date of the first bar
   * @param toDate ISO date of the last bar
   * @param figures per combination, by figure; all NaN where the combination makes no sense
   * @param trades of the last combination, if detailed
   * @param curve of the last combination, if detailed
   */
  public record Outcome(
      String fromDate, String toDate, double[][] figures, List<Trade> trades, double[] curve) {
    public Outcome {
      trades = List.copyOf(trades);
    }
  }
}
