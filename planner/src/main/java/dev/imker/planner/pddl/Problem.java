package dev.imker.planner.pddl;

import java.util.List;
import java.util.Map;

/**
 * A start and a goal.
 *
 * @param metric what is to be small among plans with equally few steps
 * @param values of functions, for costs
 */
public record Problem(
    String name,
    List<TypedName> objects,
    List<Atom> init,
    List<Literal> goal,
    Metric metric,
    Map<Atom, Double> values) {
  /** What makes one plan better than another with as many steps. */
  public enum Metric {
    NONE,
    TOTAL_COST,
    TOTAL_TIME
  }

  public Problem {
    objects = List.copyOf(objects);
    init = List.copyOf(init);
    goal = List.copyOf(goal);
    values = Map.copyOf(values);
  }

  public Problem(String name, List<TypedName> objects, List<Atom> init, List<Literal> goal) {
    this(name, objects, init, goal, Metric.NONE, Map.of());
  }

  /** The same from another start. */
  public Problem from(List<Atom> start) {
    return new Problem(name, objects, start, goal, metric, values);
  }
}
