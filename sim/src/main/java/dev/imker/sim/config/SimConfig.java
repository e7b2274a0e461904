package dev.imker.sim.config;

import dev.imker.model.ProjectId;
import java.util.List;

/**
 * A pool and its work.
 *
 * @param minutes over which averages are taken; a run goes on until all work is done
 * @param startMinute of the week in which the simulation begins; 0 is Monday, midnight
 * @param lostMinutes until a task whose machine failed is handed out again
 * @param agesIdle whether machines without work age and fail as well
 * @param speculative whether running tasks may be handed out again
 * @param seeds how many runs are made if nobody says otherwise
 * @param stepMillis what a minute of all this really is; shorter where a real pool is replayed
 *     whose tasks take seconds
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
    long stepMillis) {
  public static final long MINUTE_MILLIS = 60_000;

  public SimConfig {
    machines = List.copyOf(machines);
    arrivals = List.copyOf(arrivals);
  }

  /** A pool whose minutes are minutes. */
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
        MINUTE_MILLIS);
  }

  public int nodes() {
    return machines.stream().mapToInt(Machines::count).sum();
  }

  public int tasks() {
    return arrivals.stream().mapToInt(Arrival::count).sum();
  }

  /** What a step of the simulation is in minutes. */
  public double minutesPerStep() {
    return (double) stepMillis / MINUTE_MILLIS;
  }

  /** Projects in the order in which they are defined. */
  public List<ProjectId> projects() {
    return arrivals.stream().map(Arrival::project).distinct().toList();
  }
}
