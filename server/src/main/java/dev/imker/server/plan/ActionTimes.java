package dev.imker.server.plan;

import dev.imker.model.job.ActionBinding;
import dev.imker.planner.PlannedAction;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * How long actions take.
 *
 * @param known seconds of runs so far, by action ({@code (fly p a b)}) and by name alone ({@code
 *     fly})
 * @param declared what those who bound the actions say
 */
public record ActionTimes(Map<String, Double> known, List<ActionBinding> declared)
    implements ToDoubleFunction<PlannedAction> {
  private static final int MAX_KNOWN = 2_000;
  private static final double NEWEST_COUNTS = 0.3;

  public ActionTimes {
    known = Map.copyOf(known);
    declared = List.copyOf(declared);
  }

  /** Seconds; of the same action, or one of its name, or as declared, or 0. */
  @Override
  public double applyAsDouble(PlannedAction action) {
    Double same = known.get(action.toString());
    Double alike = same == null ? known.get(action.name()) : same;
    return alike != null
        ? alike
        : declared.stream()
            .filter(binding -> binding.action().equals(action.name()))
            .mapToDouble(ActionBinding::seconds)
            .findFirst()
            .orElse(0);
  }

  /** What plans depend on, to within about a third: runs never take the same time twice. */
  public String roughly() {
    Map<String, String> rough = new TreeMap<>();
    declared.forEach(binding -> rough.put(binding.action(), "declared " + binding.seconds()));
    known.forEach((action, seconds) -> rough.put(action, roughly(seconds)));
    return rough.toString();
  }

  private static String roughly(double seconds) {
    return Long.toString(Math.round(2 * Math.log(Math.max(seconds, 0.01))));
  }

  /** Learns from a run. */
  public ActionTimes after(PlannedAction action, double seconds) {
    Map<String, Double> next = new TreeMap<>(known);
    for (String name : List.of(action.name(), action.toString())) {
      if (next.containsKey(name) || next.size() < MAX_KNOWN) {
        next.merge(name, seconds, (old, fresh) -> old + NEWEST_COUNTS * (fresh - old));
      }
    }
    return new ActionTimes(next, declared);
  }
}
