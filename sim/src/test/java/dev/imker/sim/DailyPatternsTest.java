package dev.imker.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.sim.config.SimConfig;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools with daily patterns: survival against the best of all published strategies. */
class DailyPatternsTest {
  private static final int SEEDS = 3;
  private static final double TOLERANCE = 0.01;

  @ParameterizedTest
  @ValueSource(strings = {"office.yaml", "night-shift.yaml", "campus.yaml"})
  void survival_is_as_good_as_the_best_in_every_figure(String file) {
    SimConfig config = Examples.read(file);
    double efficiency = 0;
    double done = 0;
    double makespan = Double.POSITIVE_INFINITY;
    for (String strategy : PublishedFigures.STRATEGIES) {
      SimResult result = Examples.run(config, strategy, SEEDS);
      efficiency = Math.max(efficiency, result.avEff().mean());
      done = Math.max(done, result.avDone().mean());
      Spread end = result.makespan();
      makespan = end == null ? makespan : Math.min(makespan, end.mean());
    }
    SimResult ours = Examples.run(config, "survival", SEEDS);
    assertThat(ours.avEff().mean()).isGreaterThan(efficiency * (1 - TOLERANCE));
    assertThat(ours.avDone().mean()).isGreaterThan(done * (1 - TOLERANCE));
    assertThat(Objects.requireNonNull(ours.makespan()).mean())
        .isLessThan(makespan * (1 + TOLERANCE));
  }
}
