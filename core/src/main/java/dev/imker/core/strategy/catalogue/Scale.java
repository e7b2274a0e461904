package dev.imker.core.strategy.catalogue;

import dev.imker.core.profile.PoolProfile;
import dev.imker.core.strategy.RunLength;

/** How far reputation stretches the wished run time (s): a number, or taken from the pool. */
record Scale(double fixed, boolean dynamic) {
  static final Scale DYNAMIC = new Scale(0, true);

  static Scale of(double fixed) {
    return new Scale(fixed, false);
  }

  double in(PoolProfile pool) {
    return dynamic ? RunLength.dynamicScale(pool) : fixed;
  }

  /** The wished minutes of a node: shorter than it failed at, or longer than it succeeded with. */
  double stretch(PoolProfile pool, double reputation, double failedMinutes, double doneMinutes) {
    double s = in(pool);
    if (reputation < -2.0 / 3) {
      return Math.pow(2, -0.5 * s) * failedMinutes;
    }
    if (reputation < -1.0 / 3) {
      return Math.pow(2, -0.25 * s) * failedMinutes;
    }
    if (reputation < 0) {
      return failedMinutes;
    }
    if (reputation < 1.0 / 3) {
      return doneMinutes;
    }
    return (reputation < 2.0 / 3 ? 1 + 0.5 * s : 1 + s) * doneMinutes;
  }

  @Override
  public String toString() {
    return dynamic ? "dynamic" : fixed == Math.rint(fixed) ? "" + (long) fixed : "" + fixed;
  }
}
