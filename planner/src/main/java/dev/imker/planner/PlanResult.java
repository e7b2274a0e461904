package dev.imker.planner;

import java.util.List;

/**
 * The outcome of planning.
 *
 * @param steps the actions of each step, which may be done in any order or at once; empty unless
 *     solved
 * @param levels how many levels of the planning graph were built
 * @param millis how long it took
 * @param method which technique gave the answer, for the curious
 */
public record PlanResult(
    PlanStatus status, List<List<PlannedAction>> steps, int levels, long millis, String method) {
  public PlanResult {
    steps = steps.stream().map(List::copyOf).toList();
  }

  public int stepCount() {
    return steps.size();
  }

  public int actionCount() {
    return steps.stream().mapToInt(List::size).sum();
  }

  /** The object that {@code imker plan --json} prints, on one line. */
  public String toJson() {
    return new JsonWriter()
        .open('{')
        .field("status", status.label())
        .field("steps", stepCount())
        .field("actions", actionCount())
        .field("millis", millis)
        .field("levels", levels)
        .name("plan")
        .lists(steps)
        .close('}')
        .toString();
  }
}
