package dev.imker.planner.pddl;

public record Literal(Atom atom, boolean positive) {
  public static Literal yes(Atom atom) {
    return new Literal(atom, true);
  }

  public static Literal no(Atom atom) {
    return new Literal(atom, false);
  }

  @Override
  public String toString() {
    return positive ? atom.toString() : "(not " + atom + ")";
  }
}
