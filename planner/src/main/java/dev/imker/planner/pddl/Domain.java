package dev.imker.planner.pddl;

import java.util.List;

/** What can be done: types, relations and actions. */
public record Domain(
    String name,
    TypeHierarchy types,
    List<TypedName> constants,
    List<Predicate> predicates,
    List<ActionSchema> actions) {
  public Domain {
    constants = List.copyOf(constants);
    predicates = List.copyOf(predicates);
    actions = List.copyOf(actions);
  }
}
