package dev.imker.charts.study;

/**
 * Some combinations over one span of bars of a market.
 *
 * @param stage what it is for; chosen by the plan
 * @param variant of a walk-forward, or the round of a search
 * @param window of a walk-forward, counted from 0
 * @param closeAtEnd whether a position is closed with the last bar
 * @param detailed whether trades and the course of the account are wanted
 */
public record Run(
    Stage stage,
    int variant,
    int window,
    int firstBar,
    int lastBar,
    boolean closeAtEnd,
    boolean detailed,
    long[] combinations) {

  /** What a run is for. */
  public enum Stage {
    SWEEP,
    NEIGHBOURS,
    TRAIN,
    FINAL
  }

  long steps() {
    return (long) combinations.length * (lastBar - firstBar + 1);
  }

  Run with(long[] some) {
    return new Run(stage, variant, window, firstBar, lastBar, closeAtEnd, detailed, some);
  }
}
