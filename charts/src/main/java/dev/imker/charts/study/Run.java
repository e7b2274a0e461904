package dev.imker.charts.study;

/**
 * Some combinations over one span of bars of a market.
 *
 * @param stage what it is for; chosen by the plan
 * @param variant of a walk-forward, or the round of a search
 * @param window of a walk-forward, counted from 0
 * @param closeAtEnd whether a position is closed with the last bar
 * @param legs empty for runs of which each combination is tried on all bars; else the first bar of
 *     each combination, which are traded one after the other with one account
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
    long[] combinations,
    int[] legs) {

  /** Each combination on all the bars. */
  public Run(
      Stage stage,
      int variant,
      int window,
      int firstBar,
      int lastBar,
      boolean closeAtEnd,
      boolean detailed,
      long[] combinations) {
    this(stage, variant, window, firstBar, lastBar, closeAtEnd, detailed, combinations, new int[0]);
  }

  /** Whether its combinations are traded one after the other. */
  boolean isWalk() {
    return legs.length > 0;
  }

  public enum Stage {
    SWEEP,
    NEIGHBOURS,
    TRAIN,
    FINAL,
    /** On a shuffled market. */
    SHUFFLED,
    /** On one block of the history. */
    BLOCK
  }

  long steps() {
    return (isWalk() ? 1L : combinations.length) * bars();
  }

  int bars() {
    return lastBar - firstBar + 1;
  }

  Run with(long[] some) {
    return new Run(stage, variant, window, firstBar, lastBar, closeAtEnd, detailed, some, legs);
  }
}
