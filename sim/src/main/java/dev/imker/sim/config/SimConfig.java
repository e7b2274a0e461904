package dev.imker.sim.config;

import dev.imker.core.matching.UnmetNeeds;
import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A pool and its work.
 *
 * @param minutes period for averages; a run continues until all work is done
 * @param startMinute of the week in which the simulation begins; 0 is Monday, midnight
 * @param lostMinutes until a task whose machine failed is handed out again
 * @param agesIdle whether machines without work age and fail as well
 * @param speculative whether running tasks may be handed out again
 * @param seeds default number of runs
 * @param stepMillis the real length of a simulated minute; shorter when a real pool with tasks of
 *     seconds is replayed
 * @param resources amounts that exist once for all machines, by name
 */
public record SimConfig(
    String name,
    List<Machines> machines,
    List<Arrival> arrivals,
    int minutes,
    int startMinute,
    int lostMinutes,
    boolean agesIdle,
    boolean speculative,
    int seeds,
    long stepMillis,
    Map<String, Double> resources) {
  public static final long MINUTE_MILLIS = 60_000;

  public SimConfig {
    machines = List.copyOf(machines);
    arrivals = List.copyOf(arrivals);
    resources = Map.copyOf(resources);
  }

  /** A pool with minutes as steps. */
  public SimConfig(
      String name,
      List<Machines> machines,
      List<Arrival> arrivals,
      int minutes,
      int startMinute,
      int lostMinutes,
      boolean agesIdle,
      boolean speculative,
      int seeds) {
    this(
        name,
        machines,
        arrivals,
        minutes,
        startMinute,
        lostMinutes,
        agesIdle,
        speculative,
        seeds,
        MINUTE_MILLIS,
        Map.of());
  }

  /** Whether machines have amounts that tasks take; otherwise each works on one task at a time. */
  public boolean hasAmounts() {
    return !resources.isEmpty()
        || machines.stream().anyMatch(Machines::hasAmounts)
        || arrivals.stream().anyMatch(arrival -> !arrival.needs().equals(Requirements.ANY));
  }

  /** Explains why no machine could ever run a task with these needs; null if some could. */
  public @Nullable String unmet(Requirements needs) {
    List<String> lacking = new ArrayList<>();
    for (Machines kind : machines) {
      List<String> its =
          UnmetNeeds.of(
              needs,
              kind.platform(),
              kind.platform().cores(),
              name -> resources.getOrDefault(name, -1.0));
      if (its.isEmpty()) {
        return null;
      }
      lacking.add(kind.name() + " " + String.join(" or ", its));
    }
    return "no machine could ever run it: " + String.join("; ", lacking);
  }

  public int nodes() {
    return sum(machines.stream().mapToLong(Machines::count));
  }

  public int tasks() {
    return sum(arrivals.stream().mapToLong(Arrival::count));
  }

  private static int sum(LongStream counts) {
    return (int) Math.min(counts.sum(), Integer.MAX_VALUE); // limits must detect excessive values
  }

  /** The length of a step in minutes. */
  public double minutesPerStep() {
    return (double) stepMillis / MINUTE_MILLIS;
  }

  /** Projects in the order in which they are defined. */
  public List<ProjectId> projects() {
    return arrivals.stream().map(Arrival::project).distinct().toList();
  }
}
