package dev.imker.planner.actions;

/** A value that exists, by type and name; what it contains is of no interest to planning. */
public record Value(String type, String name) {
  public Value {
    if (type.isBlank() || name.isBlank() || name.startsWith("?")) {
      throw new IllegalArgumentException("a value needs a type and a name: " + type + " " + name);
    }
  }

  public static Value value(String type, String name) {
    return new Value(type, name);
  }
}
