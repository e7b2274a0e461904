package dev.imker.planner.pddl;

import java.util.List;

/** An action with parameters: what must hold before, what holds and no longer holds after. */
public record ActionSchema(
    String name, List<TypedName> parameters, List<Literal> precondition, List<Literal> effect) {
  public ActionSchema {
    parameters = List.copyOf(parameters);
    precondition = List.copyOf(precondition);
    effect = List.copyOf(effect);
  }
}
