package dev.imker.planner.pddl;

import java.util.List;

/**
 * An action with parameters: what must hold before, what holds and no longer holds after, and what
 * it costs.
 */
public record ActionSchema(
    String name,
    List<TypedName> parameters,
    List<Literal> precondition,
    List<Literal> effect,
    ActionCost cost) {
  public ActionSchema {
    parameters = List.copyOf(parameters);
    precondition = List.copyOf(precondition);
    effect = List.copyOf(effect);
  }

  /** An action that costs nothing. */
  public ActionSchema(
      String name, List<TypedName> parameters, List<Literal> precondition, List<Literal> effect) {
    this(name, parameters, precondition, effect, ActionCost.NONE);
  }
}
