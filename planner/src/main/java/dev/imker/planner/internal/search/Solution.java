package dev.imker.planner.internal.search;

import dev.imker.planner.internal.ground.GroundAction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search found out.
 *
 * @param steps the actions of each step, null if it is proved that there is no plan
 * @param levels how many levels of the planning graph were built
 * @param method which technique gave the answer
 * @param weight of the plan; not a number where nobody asked
 * @param lightest whether no plan with as many steps weighs less
 */
public record Solution(
    @Nullable List<List<GroundAction>> steps,
    int levels,
    Method method,
    double weight,
    boolean lightest) {
  public enum Method {
    GRAPH,
    GRAPH_SEARCH,
    STATE_SPACE,
    SAT
  }

  Solution(@Nullable List<List<GroundAction>> steps, int levels, Method method) {
    this(steps, levels, method, Double.NaN, false);
  }
}
