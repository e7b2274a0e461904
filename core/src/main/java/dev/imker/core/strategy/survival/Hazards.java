package dev.imker.core.strategy.survival;

/**
 * The hazards that a node may have: constant rates, and rates that rise linearly to a final one
 * after a time without failures.
 */
final class Hazards {
  private static final double[] CONSTANT = {
    .0002, .0005, .001, .002, .004, .007, .01, .015, .02, .03, .045, .06, .09
  };
  private static final double[] FINAL = {.01, .02, .035, .06};
  private static final double[] SAFE = {30, 60, 90, 120, 180, 240, 320, 420, 540, 720};
  private static final double[] RISE = {40, 100, 220};

  static final int COUNT = CONSTANT.length + FINAL.length * SAFE.length * RISE.length;
  private static final double[] FINAL_RATE = new double[COUNT];
  private static final double[] SAFE_MINUTES = new double[COUNT];
  private static final double[] RISING_MINUTES = new double[COUNT];
  private static final float[] PRIOR = new float[COUNT];
  private static final float[][] SURVIVAL = new float[COUNT][UptimeGrid.POINTS];

  static {
    int hazard = 0;
    for (double rate : CONSTANT) {
      define(hazard++, rate, 0, 0, 0.5 / CONSTANT.length);
    }
    for (double rate : FINAL) {
      for (double safe : SAFE) {
        for (double rise : RISE) {
          define(hazard++, rate, safe, rise, 0.5 / (COUNT - CONSTANT.length));
        }
      }
    }
  }

  private Hazards() {}

  private static void define(int hazard, double rate, double safe, double rise, double prior) {
    FINAL_RATE[hazard] = rate;
    SAFE_MINUTES[hazard] = safe;
    RISING_MINUTES[hazard] = rise;
    PRIOR[hazard] = (float) prior;
    for (int point = 0; point < UptimeGrid.POINTS; point++) {
      SURVIVAL[hazard][point] = (float) Math.exp(-cumulated(hazard, UptimeGrid.minutes(point)));
    }
  }

  static float prior(int hazard) {
    return PRIOR[hazard];
  }

  /** Probability to reach each up-time of the grid. */
  static float[] survival(int hazard) {
    return SURVIVAL[hazard];
  }

  /** Failures per minute at an up-time. */
  static double rate(int hazard, double uptimeMinutes) {
    double over = uptimeMinutes - SAFE_MINUTES[hazard];
    if (over < 0) {
      return 0;
    }
    double rise = RISING_MINUTES[hazard];
    return over >= rise ? FINAL_RATE[hazard] : FINAL_RATE[hazard] * over / rise;
  }

  /** Integral of the rate up to an up-time. */
  static double cumulated(int hazard, double uptimeMinutes) {
    double over = uptimeMinutes - SAFE_MINUTES[hazard];
    if (over <= 0) {
      return 0;
    }
    double rise = RISING_MINUTES[hazard];
    return over >= rise
        ? FINAL_RATE[hazard] * (over - rise / 2)
        : FINAL_RATE[hazard] * over * over / (2 * rise);
  }
}
