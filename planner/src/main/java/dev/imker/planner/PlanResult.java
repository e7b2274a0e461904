package dev.imker.planner;

import java.math.BigDecimal;
import java.util.List;

/**
 * The outcome of planning.
 *
 * @param steps the actions of each step, which may be done in any order or at once; empty unless
 *     solved
 * @param levels how many levels of the planning graph were built
 * @param millis how long it took
 * @param method which technique gave the answer, for the curious
 * @param unreachable parts of the goal that no actions could bring about, even if nothing were ever
 *     deleted; empty if there are none
 * @param missing what these lack in the end: facts that no action makes and that do not hold at the
 *     start, the nearest first
 * @param weight what the plan costs, or how many seconds its steps take; 0 if nothing is known
 * @param lightest whether it is proved that no plan with as few steps costs, or takes, less
 */
public record PlanResult(
    PlanStatus status,
    List<List<PlannedAction>> steps,
    int levels,
    long millis,
    String method,
    List<String> unreachable,
    List<String> missing,
    double weight,
    boolean lightest) {
  public PlanResult {
    steps = steps.stream().map(List::copyOf).toList();
    unreachable = List.copyOf(unreachable);
    missing = List.copyOf(missing);
  }

  PlanResult(
      PlanStatus status, List<List<PlannedAction>> steps, int levels, long millis, String method) {
    this(status, steps, levels, millis, method, List.of(), List.of(), 0, true);
  }

  /** The same with other steps. */
  public PlanResult withSteps(List<List<PlannedAction>> others) {
    return new PlanResult(
        status, others, levels, millis, method, unreachable, missing, weight, lightest);
  }

  PlanResult because(List<String> notReached, List<String> lacking) {
    return new PlanResult(
        status, steps, levels, millis, method, notReached, lacking, weight, lightest);
  }

  PlanResult weighing(double value, boolean proved) {
    return new PlanResult(
        status, steps, levels, millis, method, unreachable, missing, value, proved);
  }

  /** Why there is no plan, in words; empty if nothing is known of that. */
  public String why() {
    if (unreachable.isEmpty()) {
      return "";
    }
    String wants = String.join(", ", unreachable) + " cannot be reached";
    return missing.isEmpty()
        ? wants + ": the actions for it depend on each other"
        : wants
            + ": no action achieves "
            + String.join(", ", missing)
            + ", and it does not hold initially";
  }

  /** The weight as people write it: 12, or 2.5. */
  public String weightText() {
    return BigDecimal.valueOf(weight).stripTrailingZeros().toPlainString();
  }

  public int stepCount() {
    return steps.size();
  }

  public int actionCount() {
    return steps.stream().mapToInt(List::size).sum();
  }

  /** The object that {@code imker plan --json} prints, on one line. */
  public String toJson() {
    JsonWriter json =
        new JsonWriter()
            .open('{')
            .field("status", status.label())
            .field("steps", stepCount())
            .field("actions", actionCount())
            .field("millis", millis)
            .field("levels", levels)
            .name("plan")
            .lists(steps);
    if (weight > 0) {
      json.name("weight").plain(weightText()).field("lightest", lightest);
    }
    if (!unreachable.isEmpty()) {
      json.name("unreachable").list(unreachable).name("missing").list(missing);
    }
    return json.close('}').toString();
  }
}
