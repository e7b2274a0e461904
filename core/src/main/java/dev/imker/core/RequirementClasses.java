package dev.imker.core;

import dev.imker.model.Platform;
import dev.imker.model.Requirements;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers the different requirements of jobs: tasks with equal requirements are one class. */
final class RequirementClasses {
  private final List<Requirements> classes = new ArrayList<>();
  private final Map<Requirements, Integer> numbers = new HashMap<>();

  int size() {
    return classes.size();
  }

  /** The number of these requirements; equals the old {@link #size} if they are new. */
  int number(Requirements requirements) {
    Integer known = numbers.get(requirements);
    if (known != null) {
      return known;
    }
    int number = classes.size();
    classes.add(requirements);
    numbers.put(requirements, number);
    return number;
  }

  boolean matches(int number, Platform platform) {
    return PlatformMatch.matches(classes.get(number), platform);
  }

  /** The classes whose tasks can run on such a node. */
  BitSet matching(Platform platform) {
    BitSet matching = new BitSet();
    for (int number = 0; number < classes.size(); number++) {
      matching.set(number, matches(number, platform));
    }
    return matching;
  }
}
