package dev.imker.planner;

import java.util.List;

/** An action of a plan with the objects it is done with. */
public record PlannedAction(String name, List<String> arguments) {
  public PlannedAction {
    arguments = List.copyOf(arguments);
  }

  /** As in PDDL: {@code (load f1 p a)}. */
  @Override
  public String toString() {
    return arguments.isEmpty()
        ? "(" + name + ")"
        : "(" + name + " " + String.join(" ", arguments) + ")";
  }
}
