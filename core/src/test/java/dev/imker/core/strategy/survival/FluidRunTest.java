package dev.imker.core.strategy.survival;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FluidRunTest {
  private static final int SAFEST = 0;
  private static final int SHORT_LIVED = 9;
  private static final Lengths FIXED = new Lengths();

  static {
    for (int i = 0; i < 1000; i++) {
      FIXED.add(1);
    }
  }

  @Test
  void long_work_is_worth_more_than_its_minutes_where_few_nodes_can_do_it() {
    double[] values = values(2);
    assertThat(values[1] / values[0]).isGreaterThan(30);
  }

  @Test
  void values_stay_positive_when_a_project_cannot_be_done() {
    FluidRun fluid = new FluidRun(0.4);
    fluid.begin(1, 2);
    fluid.group(0, 10);
    fluid.describe(0, 0, belief(SHORT_LIVED), 10, FIXED);
    fluid.describe(0, 1, belief(SHORT_LIVED), 5000, FIXED);
    fluid.project(0, 100, 100, 20);
    fluid.project(1, 100, 100, 20);
    double[] values = {1, 1};
    fluid.improve(values, 3);
    assertThat(Arrays.stream(values)).allMatch(value -> value > 0 && Double.isFinite(value));
  }

  /** Values of short and long work with that many safe nodes beside thirty short-lived ones. */
  private static double[] values(int safeNodes) {
    FluidRun fluid = new FluidRun(0.4);
    fluid.begin(2, 2);
    fluid.group(0, safeNodes);
    fluid.group(1, 30);
    for (int project = 0; project < 2; project++) {
      double minutes = project == 0 ? 10 : 300;
      fluid.describe(0, project, belief(SAFEST), minutes, FIXED);
      fluid.describe(1, project, belief(SHORT_LIVED), minutes, FIXED);
      fluid.project(project, 300, 300, 20);
    }
    double[] values = {10, 300};
    fluid.improve(values, 4);
    return values;
  }

  private static Belief belief(int hazard) {
    Belief belief = new Belief();
    float[] one = new float[Hazards.COUNT];
    one[hazard] = 1;
    belief.set(one);
    return belief;
  }
}
