package dev.imker.core;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers the different places that stages ask for: tasks with equal ones are one class. */
final class RequirementClasses {
  private final List<Placement> classes = new ArrayList<>();
  private final Map<Placement, Integer> numbers = new HashMap<>();

  int size() {
    return classes.size();
  }

  /** The number of a placement; equals the old {@link #size} if it is new. */
  int number(Placement placement) {
    Integer known = numbers.get(placement);
    if (known != null) {
      return known;
    }
    int number = classes.size();
    classes.add(placement);
    numbers.put(placement, number);
    return number;
  }

  boolean matches(int number, AgentHello agent) {
    return classes.get(number).matches(agent);
  }

  /** The classes whose tasks the agent can run. */
  BitSet matching(AgentHello agent) {
    BitSet matching = new BitSet();
    for (int number = 0; number < classes.size(); number++) {
      matching.set(number, matches(number, agent));
    }
    return matching;
  }
}
