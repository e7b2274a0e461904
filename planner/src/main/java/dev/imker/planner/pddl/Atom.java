package dev.imker.planner.pddl;

import java.util.List;

/** A relation between terms; a term that begins with '?' is a variable, any other an object. */
public record Atom(String predicate, List<String> terms) {
  /** The predicate that compares its two terms instead of looking at the state. */
  public static final String EQUALS = "=";

  public Atom {
    terms = List.copyOf(terms);
  }

  public static Atom of(String predicate, String... terms) {
    return new Atom(predicate, List.of(terms));
  }

  public static boolean isVariable(String term) {
    return term.startsWith("?");
  }

  public boolean isEquality() {
    return predicate.equals(EQUALS);
  }

  @Override
  public String toString() {
    return terms.isEmpty()
        ? "(" + predicate + ")"
        : "(" + predicate + " " + String.join(" ", terms) + ")";
  }
}
