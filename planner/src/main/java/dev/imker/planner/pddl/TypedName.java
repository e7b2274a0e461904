package dev.imker.planner.pddl;

import java.util.List;

/**
 * A parameter or object with its type; several types mean "any one of them" ({@code either}).
 *
 * @param types never empty; {@value #ANY} where the text names none
 */
public record TypedName(String name, List<String> types) {
  /** The type all others descend from. */
  public static final String ANY = "object";

  public TypedName {
    types = List.copyOf(types);
  }

  public static TypedName of(String name, String type) {
    return new TypedName(name, List.of(type));
  }
}
