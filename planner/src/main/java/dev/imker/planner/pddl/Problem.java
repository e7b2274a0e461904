package dev.imker.planner.pddl;

import java.util.List;

/** What is there and what is wanted. */
public record Problem(String name, List<TypedName> objects, List<Atom> init, List<Literal> goal) {
  public Problem {
    objects = List.copyOf(objects);
    init = List.copyOf(init);
    goal = List.copyOf(goal);
  }
}
