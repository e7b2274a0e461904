package dev.imker.sim.config;

import dev.imker.model.Granted;
import dev.imker.model.Platform;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Machines of one kind.
 *
 * @param slowdown how many times longer a task takes than on the reference machine
 * @param away when they are not available, such as office hours; null: never
 * @param jitterMinutes how far each machine's way and return differ from those hours
 * @param platform what each of them has
 * @param slots how many tasks it works on at a time at most; 0: as its amounts allow
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
  /** Each of which works on one task at a time, and has nothing to divide. */
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
