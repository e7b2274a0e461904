package dev.imker.planner.pddl;

import java.util.List;

public record Problem(String name, List<TypedName> objects, List<Atom> init, List<Literal> goal) {
  public Problem {
    objects = List.copyOf(objects);
    init = List.copyOf(init);
    goal = List.copyOf(goal);
  }
}
