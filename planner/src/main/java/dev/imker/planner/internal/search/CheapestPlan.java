package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.planner.internal.ground.GroundAction;
import dev.imker.planner.internal.ground.GroundTask;
import dev.imker.planner.internal.ground.Weights;
import dev.imker.planner.internal.sat.Cdcl;
import dev.imker.planner.pddl.Atom;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the lightest among the plans with a given number of steps: each one that is found has to be
 * lighter than the one before, until there is none.
 */
final class CheapestPlan {
  private static final double STEPS_OF_WEIGHTS = 1000;

  private final GroundTask task;
  private final long[] weights;
  private final boolean together;

  CheapestPlan(GroundTask task, Weights weights) {
    this.task = task;
    this.together = weights.together();
    this.weights = task.actions.stream().mapToLong(action -> weight(action, weights)).toArray();
  }

  private static long weight(GroundAction action, Weights weights) {
    double weight = weights.of().applyAsDouble(new Atom(action.name(), action.arguments()));
    return Math.round(weight * STEPS_OF_WEIGHTS);
  }

  /** What a plan weighs. */
  double weightOf(List<int[]> plan) {
    return sum(plan) / STEPS_OF_WEIGHTS;
  }

  private long sum(List<int[]> plan) {
    long sum = 0;
    for (int[] step : plan) {
      var own = Arrays.stream(step).mapToLong(action -> weights[action]);
      sum += together ? own.max().orElse(0) : own.sum();
    }
    return sum;
  }

  /**
   * @param proved whether none is lighter
   */
  record Found(List<int[]> plan, boolean proved) {}

  /** Improves a plan until it is the lightest, or the time is over. */
  Found improve(List<int[]> plan, Stopwatch stopwatch) {
    if (plan.isEmpty() || sum(plan) == 0) {
      return new Found(plan, true);
    }
    List<int[]> best = plan;
    long unit = Arrays.stream(weights).reduce(0, CheapestPlan::greatestCommonDivisor);
    try {
      PlanningGraph graph = new PlanningGraph(task, stopwatch);
      while (graph.lastLevel() < plan.size()) {
        graph.expand();
      }
      Cdcl solver = new Cdcl(stopwatch);
      SatEncoding encoding = new SatEncoding(graph, solver);
      encoding.encodeTo(plan.size());
      BinarySum sum = new BinarySum(solver);
      long[] units = Arrays.stream(weights).map(weight -> weight / unit).toArray();
      encoding.weigh(units, together, sum);
      sum.close();
      while (true) {
        sum.atMost(sum(best) / unit - 1);
        List<int[]> lighter = encoding.search(plan.size());
        if (lighter == null) {
          return new Found(best, true);
        }
        best = lighter;
        if (sum(best) == 0) {
          return new Found(best, true);
        }
      }
    } catch (Stopwatch.Stopped | OutOfMemoryError _) {
      return new Found(best, false);
    }
  }

  private static long greatestCommonDivisor(long a, long b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }
}
