package dev.imker.charts.spec;

import dev.imker.charts.search.Objective;
import dev.imker.charts.search.Selection;
import java.util.ArrayList;
import java.util.List;

/**
 * How walk-forward goes: choose on a training window, trade the test window behind it, move on.
 * Each list is varied.
 *
 * @param purgeBars bars between training and test that belong to neither, so that positions chosen
 *     for in training do not reach into the test
 * @param anchored whether training always starts at the first bar
 * @param flatAtWindowEnd whether positions are closed with the last bar of a test window, instead
 *     of going on into the next
 */
public record WalkForwardSpec(
    List<Integer> trainBars,
    List<Integer> testBars,
    List<Objective> objectives,
    List<Selection> selections,
    int purgeBars,
    boolean anchored,
    boolean flatAtWindowEnd) {

  /** One way to do it. */
  public record Variant(int trainBars, int testBars, Objective objective, Selection selection) {
    public String label() {
      return "train %d, test %d, %s, %s"
          .formatted(trainBars, testBars, objective.text(), selection.label());
    }
  }

  public List<Variant> variants() {
    List<Variant> variants = new ArrayList<>();
    for (int train : trainBars) {
      for (int test : testBars) {
        for (Objective objective : objectives) {
          for (Selection selection : selections) {
            variants.add(new Variant(train, test, objective, selection));
          }
        }
      }
    }
    return variants;
  }
}
