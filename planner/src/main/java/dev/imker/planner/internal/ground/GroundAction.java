package dev.imker.planner.internal.ground;

import java.util.Arrays;
import java.util.List;

/**
 * An action without variables over the numbered propositions of a {@link GroundTask}. All arrays
 * are sorted; {@code deletes} and {@code adds} have nothing in common.
 */
public final class GroundAction {
  private final String name;
  private final List<String> arguments;
  public final int[] preconditions;
  public final int[] adds;
  public final int[] deletes;

  GroundAction(
      String name, List<String> arguments, int[] preconditions, int[] adds, int[] deletes) {
    this.name = name;
    this.arguments = arguments;
    this.preconditions = preconditions;
    this.adds = adds;
    this.deletes = deletes;
  }

  public String name() {
    return name;
  }

  public List<String> arguments() {
    return arguments;
  }

  /** Whether the two must not share a step: one deletes what the other requires or adds. */
  public boolean interferesWith(GroundAction other) {
    return deletesNeeded(other) || other.deletesNeeded(this);
  }

  private boolean deletesNeeded(GroundAction other) {
    for (int deleted : deletes) {
      if (Arrays.binarySearch(other.preconditions, deleted) >= 0
          || Arrays.binarySearch(other.adds, deleted) >= 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return arguments.isEmpty()
        ? "(" + name + ")"
        : "(" + name + " " + String.join(" ", arguments) + ")";
  }
}
