package dev.imker.planner.internal.ground;

import dev.imker.planner.pddl.ActionSchema;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Problem;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a plan is to have little of.
 *
 * @param of what an action weighs; it is asked for actions as atoms
 * @param together whether actions of one step count as much as the heaviest of them (time), or all
 *     (cost)
 */
public record Weights(ToDoubleFunction<Atom> of, boolean together) {
  /** The costs of a problem. */
  public static Weights costs(Domain domain, Problem problem) {
    Map<String, ActionSchema> schemas = new HashMap<>();
    domain.actions().forEach(action -> schemas.put(action.name(), action));
    return new Weights(
        action -> {
          ActionSchema schema = schemas.get(action.predicate());
          return schema == null ? 0 : cost(schema, action, problem);
        },
        false);
  }

  private static double cost(ActionSchema schema, Atom action, Problem problem) {
    Map<String, String> binding = new HashMap<>();
    for (int i = 0; i < schema.parameters().size(); i++) {
      binding.put(schema.parameters().get(i).name(), action.terms().get(i));
    }
    double cost = schema.cost().constant();
    for (Atom function : schema.cost().functions()) {
      Atom value =
          new Atom(
              function.predicate(),
              function.terms().stream().map(term -> binding.getOrDefault(term, term)).toList());
      cost += problem.values().getOrDefault(value, 0.0);
    }
    return cost;
  }
}
