package dev.imker.sim;

import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The results of one run; the first three in percent.
 *
 * @param makespan minute in which the last task was done, or {@link #UNFINISHED}
 * @param finishedMinute the same for each project, in the order of their definition
 * @param waitedMinutes how long tasks of each project waited until they first began, on average
 * @param workedMinutes of cores, as those lost
 * @param used of each resource, by name; empty where machines have no amounts
 */
public record SimRun(
    double avEff,
    double effWindow,
    double avDone,
    int makespan,
    int[] finishedMinute,
    double[] waitedMinutes,
    long workedMinutes,
    long lostMinutes,
    SortedMap<String, Used> used,
    @Nullable Timeline timeline) {
  public static final int UNFINISHED = -1;

  /**
   * How much of a resource was in use, in percent of what was available.
   *
   * @param mean over the configured minutes
   * @param whileWaiting over the minutes in which some tasks waited
   */
  public record Used(double mean, double whileWaiting) {}

  public boolean isFinished() {
    return makespan != UNFINISHED;
  }
}
