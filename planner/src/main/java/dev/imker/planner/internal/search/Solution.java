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
 */
public record Solution(@Nullable List<List<GroundAction>> steps, int levels, Method method) {
  public enum Method {
    GRAPH,
    GRAPH_SEARCH,
    STATE_SPACE,
    SAT
  }
}
