package dev.imker.sim;

import org.jspecify.annotations.Nullable;

/**
 * What came out of one run; the first three in percent.
 *
 * @param makespan minute in which the last task was done, or {@link #UNFINISHED}
 * @param finishedMinute the same for each project, in the order of their definition
 */
public record SimRun(
    double avEff,
    double effWindow,
    double avDone,
    int makespan,
    int[] finishedMinute,
    long workedMinutes,
    long lostMinutes,
    @Nullable Timeline timeline) {
  public static final int UNFINISHED = -1;

  public boolean isFinished() {
    return makespan != UNFINISHED;
  }
}
