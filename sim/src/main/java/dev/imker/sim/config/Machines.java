package dev.imker.sim.config;

import dev.imker.model.Granted;
import dev.imker.model.Platform;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Machines of one kind.
 *
 * @param slowdown factor of a task's duration compared with the reference machine
 * @param away when they are not available, such as office hours; null: never
 * @param jitterMinutes how far each machine's departure and return differ from those hours
 * @param platform the platform of each of them
 * @param slots maximum number of tasks at a time; 0: as its amounts allow
 */
public record Machines(
    String name,
    int count,
    double slowdown,
    Failures failures,
    @Nullable Absence away,
    int jitterMinutes,
    Platform platform,
    int slots) {
  /** Machines that work on one task at a time. */
  public Machines(
      String name,
      int count,
      double benchmarkMillis,
      double slowdown,
      Failures failures,
      @Nullable Absence away,
      int jitterMinutes) {
    this(
        name,
        count,
        slowdown,
        failures,
        away,
        jitterMinutes,
        new Platform("", "", "", name, 1, 0, 0, 0, benchmarkMillis, Map.of(), Set.of()),
        0);
  }

  /** Whether it has more than one core and nothing else. */
  boolean hasAmounts() {
    return !platform.amounts().equals(Granted.ONE_CORE.amounts());
  }
}
