package dev.imker.sim;

import dev.imker.model.job.Requirements;
import java.util.ArrayDeque;
import java.util.Deque;

/** The figures of a run, minute by minute; the minutes of a task count once for each core. */
final class Measures {
  private record Ended(long minutes, boolean useful) {}

  private final int windowSize;
  private final Deque<Ended> window = new ArrayDeque<>();
  private long worked;
  private long lost;
  private long windowWorked;
  private long windowUseful;
  private double efficiencySum;
  private double windowSum;
  private double doneSum;
  private int minutes;
  private int windowMinutes;

  Measures(int nodes) {
    windowSize = 2 * nodes;
  }

  /**
   * A task was worked on for a minute.
   *
   * @param cores that it held, in hundredths
   */
  void onWorked(long cores) {
    worked += cores;
  }

  /** An attempt ended; the minutes of one without a result are lost. */
  void onEnded(long minutes, long cores, boolean useful) {
    long attemptMinutes = minutes * cores;
    if (!useful) {
      lost += attemptMinutes;
    }
    window.add(new Ended(attemptMinutes, useful));
    windowWorked += attemptMinutes;
    windowUseful += useful ? attemptMinutes : 0;
    if (window.size() > windowSize) {
      for (int i = 0; i < windowSize / 2; i++) {
        Ended old = window.remove();
        windowWorked -= old.minutes();
        windowUseful -= old.useful() ? old.minutes() : 0;
      }
    }
  }

  /** Closes a minute of the configured period. */
  void onMinute(double doneShare) {
    minutes++;
    efficiencySum += efficiency();
    doneSum += doneShare;
    if (windowWorked > 0) {
      windowMinutes++;
      windowSum += windowEfficiency();
    }
  }

  /** (worked − lost)/worked so far; minutes of running attempts count as good until lost. */
  double efficiency() {
    return worked == 0 ? 1 : (double) (worked - lost) / worked;
  }

  /** Share of useful minutes among the newest attempts. */
  double windowEfficiency() {
    return windowWorked == 0 ? 1 : (double) windowUseful / windowWorked;
  }

  double meanEfficiency() {
    return minutes == 0 ? 1 : efficiencySum / minutes;
  }

  double meanWindowEfficiency() {
    return windowMinutes == 0 ? 1 : windowSum / windowMinutes;
  }

  double meanDone() {
    return minutes == 0 ? 0 : doneSum / minutes;
  }

  long workedMinutes() {
    return worked / Requirements.HUNDREDTHS;
  }

  long lostMinutes() {
    return lost / Requirements.HUNDREDTHS;
  }
}
