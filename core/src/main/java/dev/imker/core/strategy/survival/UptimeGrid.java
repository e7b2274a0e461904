package dev.imker.core.strategy.survival;

/**
 * Up-times at which curves are sampled: a minute apart at the start, growing to about 4 % of the
 * up-time, to beyond three weeks.
 */
final class UptimeGrid {
  static final int POINTS = 184;
  private static final double START = 20;
  private static final double STEP = 0.04;
  private static final double[] MINUTES = minutes();

  private UptimeGrid() {}

  static double minutes(int point) {
    return MINUTES[point];
  }

  /** Fractional position of an up-time, at most the last point. */
  static double position(double uptimeMinutes) {
    return Math.min(Math.log(1 + uptimeMinutes / START) / STEP, POINTS - 1.0);
  }

  private static double[] minutes() {
    double[] minutes = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      minutes[i] = START * Math.expm1(i * STEP);
    }
    return minutes;
  }
}
