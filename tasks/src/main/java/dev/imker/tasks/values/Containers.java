package dev.imker.tasks.values;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Lists, sets and maps arrive as the usual implementations, or as sorted ones where declared. */
final class Containers {
  private static final Set<Class<?>> MADE =
      new HashSet<>(
          List.of(
              ArrayList.class,
              LinkedHashSet.class,
              LinkedHashMap.class,
              TreeSet.class,
              TreeMap.class));

  private Containers() {}

  /** Refuses what could not be put where it is declared. */
  static void check(Class<?> declared, Object container, String path) {
    boolean fits =
        MADE.stream()
            .anyMatch(
                made -> declared.isAssignableFrom(made) && sameKind(made, container.getClass()));
    if (!fits) {
      throw new ValueException(
          path
              + " is declared as "
              + declared.getName()
              + "; declare it as List, Set or Map (or a sorted one) so that it can be sent.");
    }
  }

  private static boolean sameKind(Class<?> made, Class<?> given) {
    return List.class.isAssignableFrom(made) == List.class.isAssignableFrom(given)
        && Set.class.isAssignableFrom(made) == Set.class.isAssignableFrom(given)
        && Map.class.isAssignableFrom(made) == Map.class.isAssignableFrom(given);
  }

  /** The value as its declared place wants it. */
  static @Nullable Object fit(@Nullable Object value, Class<?> declared) {
    if (value == null || declared.isInstance(value)) {
      return value;
    }
    try {
      if (value instanceof Map<?, ?> map && declared.isAssignableFrom(TreeMap.class)) {
        return new TreeMap<>(map);
      }
      if (value instanceof Collection<?> elements && declared.isAssignableFrom(TreeSet.class)) {
        return new TreeSet<>(elements);
      }
    } catch (ClassCastException | NullPointerException e) {
      throw new ValueException(
          "A comparator cannot be sent: the elements of a %s must be Comparable and not null."
              .formatted(declared.getSimpleName()),
          e);
    }
    return value instanceof Number number ? Numbers.fit(number, declared) : value;
  }
}
