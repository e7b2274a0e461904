package dev.imker.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.sim.config.SimConfig;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The published tables, each figure the mean of ten seeds. */
class PublishedFiguresTest {
  private static final int SEEDS = 10;
  private static final double POINTS = 3.5;

  @Test
  void constant_failures_within_three_and_a_half_points_each_and_1_3_together() {
    SimConfig a = Examples.read("constant-a.xml");
    SimConfig b = Examples.read("constant-b.xml");
    double squares = 0;
    for (PublishedFigures.Constant row : PublishedFigures.CONSTANT) {
      SimResult onA = Examples.run(a, row.strategy(), SEEDS);
      SimResult onB = Examples.run(b, row.strategy(), SEEDS);
      squares += near(row.strategy() + " A avEff", onA.avEff(), row.effA());
      squares += near(row.strategy() + " A avDone", onA.avDone(), row.doneA());
      squares += near(row.strategy() + " B avEff", onB.avEff(), row.effB());
      squares += near(row.strategy() + " B avDone", onB.avDone(), row.doneB());
    }
    assertThat(Math.sqrt(squares / (4 * PublishedFigures.CONSTANT.size()))).isLessThan(1.3);
  }

  private static double near(String what, Spread ours, double published) {
    assertThat(ours.mean()).as(what).isCloseTo(published, within(POINTS));
    return Math.pow(ours.mean() - published, 2);
  }

  @ParameterizedTest
  @MethodSource("rising")
  void rising_failures_within_eight_percent_and_three_and_a_half_points(
      PublishedFigures.Ramp published) {
    SimResult ours = Examples.run(Examples.read("ramp-a.xml"), published.strategy(), SEEDS);
    assertThat(Objects.requireNonNull(ours.makespan()).mean())
        .isCloseTo(published.makespan(), within(0.08 * published.makespan()));
    if (!Double.isNaN(published.effWindow())) {
      assertThat(ours.effWindow().mean()).isCloseTo(published.effWindow(), within(POINTS));
    }
  }

  private static List<PublishedFigures.Ramp> rising() {
    return PublishedFigures.RAMP_A;
  }

  @ParameterizedTest
  @CsvSource({"ramp-b.xml", "ramp-c.xml"})
  void adaptive_strategies_beat_balanced_by_hundreds_of_minutes(String file) {
    SimConfig config = Examples.read(file);
    double sum = 0;
    for (String strategy : List.of("performance", "combined-runtime", "combined-improved")) {
      sum += Objects.requireNonNull(Examples.run(config, strategy, 3).makespan()).mean();
    }
    double balanced = Objects.requireNonNull(Examples.run(config, "balanced", 3).makespan()).mean();
    assertThat(balanced - sum / 3).isBetween(300.0, 1000.0);
  }
}
