package dev.imker.planner.pddl;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The declared types and what each descends from. */
public final class TypeHierarchy {
  private final Map<String, Set<String>> parents = new LinkedHashMap<>();

  private TypeHierarchy(Collection<TypedName> declarations) {
    parents.put(TypedName.ANY, Set.of());
    for (TypedName declaration : declarations) {
      parents.computeIfAbsent(declaration.name(), _ -> new LinkedHashSet<>());
      for (String parent : declaration.types()) {
        parents.computeIfAbsent(parent, _ -> new LinkedHashSet<>());
        if (!declaration.name().equals(TypedName.ANY)) {
          parents.get(declaration.name()).add(parent);
        }
      }
    }
  }

  /** The hierarchy in which each declared name descends from the types it is declared with. */
  public static TypeHierarchy of(Collection<TypedName> declarations) {
    return new TypeHierarchy(declarations);
  }

  public boolean declares(String type) {
    return parents.containsKey(type);
  }

  /** The type itself and everything it descends from, {@value TypedName#ANY} always among them. */
  public Set<String> lineage(String type) {
    Set<String> seen = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(type, TypedName.ANY));
    while (!open.isEmpty()) {
      String next = open.pop();
      if (seen.add(next)) {
        open.addAll(parents.getOrDefault(next, Set.of()));
      }
    }
    return seen;
  }

  /** Whether a type descends from itself. */
  boolean isInCircle(String type) {
    return parents.getOrDefault(type, Set.of()).stream()
        .anyMatch(parent -> lineage(parent).contains(type) && !type.equals(TypedName.ANY));
  }

  /** Whether something of one of the {@code actual} types may stand where {@code wanted} is. */
  public boolean fits(Collection<String> actual, Collection<String> wanted) {
    return actual.stream().flatMap(type -> lineage(type).stream()).anyMatch(wanted::contains);
  }
}
