package dev.imker.bench.planner;

/**
 * What came of one instance.
 *
 * @param outcome number of steps, or a word; of planners whose plans are sequential {@link #SOLVED}
 */
record PlannerRun(String outcome, double millis) {
  public static final String SOLVED = "solved";
  public static final String UNSOLVABLE = "unsolvable";
  public static final String TIMEOUT = "timeout";

  /** Of one that is left out. */
  public static final PlannerRun NOT_ASKED = new PlannerRun("not asked", Double.NaN);

  public boolean isSolved() {
    return outcome.equals(SOLVED) || isSteps();
  }

  private boolean isSteps() {
    return outcome.chars().allMatch(Character::isDigit);
  }
}
