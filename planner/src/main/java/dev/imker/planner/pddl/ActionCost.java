package dev.imker.planner.pddl;

import java.util.List;

/**
 * What an action adds to the total cost.
 *
 * @param constant the numbers in it
 * @param functions values that the problem gives, of the action's parameters
 */
public record ActionCost(double constant, List<Atom> functions) {
  public static final ActionCost NONE = new ActionCost(0, List.of());

  public ActionCost {
    functions = List.copyOf(functions);
  }
}
