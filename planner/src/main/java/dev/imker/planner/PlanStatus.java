package dev.imker.planner;

import java.util.Locale;

/** How planning ended. */
public enum PlanStatus {
  /** There is a plan, and none with fewer steps exists. */
  SOLVED,
  /** It is proved that there is no plan of any length. */
  UNSOLVABLE,
  /** The time was over, or the work was cancelled, before either was known. */
  TIMEOUT;

  /** The name used in JSON. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
