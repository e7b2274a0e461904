package dev.imker.planner.actions;

import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlannedAction;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;

/**
 * How a request can be fulfilled.
 *
 * @param dag which action waits for which; without actions unless solved
 */
public record ActionPlan(PlanResult result, PlanDag dag) {
  /** The same plan for values of other names. */
  ActionPlan renamed(Map<String, String> names) {
    List<List<PlannedAction>> steps =
        result.steps().stream().map(step -> renamed(step, names)).toList();
    PlanResult renamedResult = result.withSteps(steps);
    List<PlanDag.Edge> edges = dag.edges().stream().map(edge -> renamed(edge, names)).toList();
    return new ActionPlan(renamedResult, new PlanDag(renamed(dag.actions(), names), edges));
  }

  private static List<PlannedAction> renamed(
      List<PlannedAction> actions, Map<String, String> names) {
    return actions.stream()
        .map(
            action ->
                new PlannedAction(
                    action.name(),
                    action.arguments().stream().map(a -> names.getOrDefault(a, a)).toList()))
        .toList();
  }

  private static PlanDag.Edge renamed(PlanDag.Edge edge, Map<String, String> names) {
    StringTokenizer words = new StringTokenizer(edge.literal(), "( )", true);
    StringBuilder literal = new StringBuilder();
    while (words.hasMoreTokens()) {
      String word = words.nextToken();
      literal.append(names.getOrDefault(word, word));
    }
    return new PlanDag.Edge(edge.from(), edge.to(), edge.reason(), literal.toString());
  }
}
