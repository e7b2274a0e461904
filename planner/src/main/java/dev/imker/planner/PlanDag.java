package dev.imker.planner;

import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A plan as a partial order: each action waits for those that make its conditions true, and for
 * those that would otherwise be disturbed, but not for the rest of an earlier step. Every order
 * that respects the edges reaches the goal.
 *
 * @param actions in the order of the plan's steps; edges refer to positions in this list
 */
public record PlanDag(List<PlannedAction> actions, List<Edge> edges) {
  /** Why one action has to wait for another. */
  public enum Reason {
    /** The first makes something true (or false) that the second requires. */
    PRODUCES,
    /** The second would undo what the first requires, or the first undo what the second makes. */
    PRECEDES
  }

  /**
   * @param from the action that has to be finished first
   * @param to the action that waits
   * @param literal what the edge is about, as PDDL
   */
  public record Edge(int from, int to, Reason reason, String literal) {}

  public PlanDag {
    actions = List.copyOf(actions);
    edges = List.copyOf(edges);
  }

  /**
   * @throws IllegalArgumentException if the steps are not a valid plan of the problem
   */
  public static PlanDag of(Domain domain, Problem problem, List<List<PlannedAction>> steps) {
    new PlanValidator(domain, problem)
        .findFault(steps)
        .ifPresent(
            fault -> {
              throw new IllegalArgumentException(fault);
            });
    return new CausalLinks(domain, problem, steps).toDag();
  }

  /** The actions each action has to wait for, by position. */
  public List<List<Integer>> predecessors() {
    List<List<Integer>> predecessors = new ArrayList<>();
    actions.forEach(_ -> predecessors.add(new ArrayList<>()));
    for (Edge edge : edges) {
      if (!predecessors.get(edge.to).contains(edge.from)) {
        predecessors.get(edge.to).add(edge.from);
      }
    }
    return predecessors;
  }

  /** For Graphviz; edges that only keep actions apart are dashed. */
  public String toDot() {
    StringBuilder dot = new StringBuilder("digraph plan {\n  rankdir=LR;\n  node [shape=box];\n");
    for (int i = 0; i < actions.size(); i++) {
      dot.append("  a%d [label=%s];\n".formatted(i, quoted(actions.get(i).toString())));
    }
    for (Edge edge : edges) {
      String style = edge.reason == Reason.PRODUCES ? "" : ", style=dashed";
      dot.append(
          "  a%d -> a%d [label=%s%s];\n"
              .formatted(edge.from, edge.to, quoted(edge.literal), style));
    }
    return dot.append("}\n").toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** {@code {"actions":[…],"edges":[{"from":0,"to":1,"reason":"produces","literal":"…"}]}}. */
  public String toJson() {
    JsonWriter json =
        new JsonWriter().open('{').name("actions").list(actions).name("edges").open('[');
    for (Edge edge : edges) {
      json.open('{')
          .field("from", edge.from)
          .field("to", edge.to)
          .field("reason", edge.reason.name().toLowerCase(Locale.ROOT))
          .field("literal", edge.literal)
          .close('}');
    }
    return json.close(']').close('}').toString();
  }
}
