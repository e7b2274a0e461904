package dev.imker.planner.pddl;

import java.util.List;

/** The declaration of a relation. */
public record Predicate(String name, List<TypedName> parameters) {
  public Predicate {
    parameters = List.copyOf(parameters);
  }
}
