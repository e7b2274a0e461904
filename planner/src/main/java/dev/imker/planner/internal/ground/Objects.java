package dev.imker.planner.internal.ground;

import dev.imker.planner.internal.basics.Bits;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Problem;
import dev.imker.planner.pddl.TypedName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The objects of a problem, numbered, and which of them a typed parameter may stand for. */
final class Objects {
  private final List<String> names;
  private final List<Set<String>> lineages = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<List<String>, long[]> fitting = new HashMap<>();

  Objects(Domain domain, Problem problem) {
    Map<String, Set<String>> types = new LinkedHashMap<>();
    List<TypedName> declared = new ArrayList<>(domain.constants());
    declared.addAll(problem.objects());
    for (TypedName object : declared) {
      Set<String> lineage = types.computeIfAbsent(object.name(), _ -> new LinkedHashSet<>());
      object.types().forEach(type -> lineage.addAll(domain.types().lineage(type)));
    }
    names = List.copyOf(types.keySet());
    for (String name : names) {
      numbers.put(name, numbers.size());
      lineages.add(types.getOrDefault(name, Set.of()));
    }
  }

  int count() {
    return names.size();
  }

  String name(int object) {
    return names.get(object);
  }

  int number(String name) {
    return numbers.getOrDefault(name, -1);
  }

  long[] fitting(List<String> types) {
    return fitting.computeIfAbsent(types, this::computeFitting);
  }

  private long[] computeFitting(List<String> types) {
    long[] set = Bits.ofSize(count());
    for (int object = 0; object < count(); object++) {
      if (types.stream().anyMatch(lineages.get(object)::contains)) {
        Bits.set(set, object);
      }
    }
    return set;
  }
}
