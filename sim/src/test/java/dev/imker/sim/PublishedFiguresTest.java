package dev.imker.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published tables, each figure the mean of ten seeds. */
class PublishedFiguresTest {
  private static final int SEEDS = 10;
  private static final double POINTS = 3.5;

  private record Row(String strategy, double effA, double doneA, double effB, double doneB) {}

  private static final List<Row> CONSTANT =
      List.of(
          new Row("balanced", 60, 48, 53, 38),
          new Row("newcomer", 54, 41, 55, 38),
          new Row("performance", 58, 42, 54, 39),
          new Row("runtime:s=0", 63, 52, 62, 39),
          new Row("runtime:s=2", 64, 52, 62, 41),
          new Row("runtime:s=dynamic", 65, 49, 61, 40),
          new Row("uptime:s=0", 65, 51, 61, 42),
          new Row("uptime:s=dynamic", 64, 49, 60, 42),
          new Row("combined-runtime", 64, 49, 61, 42),
          new Row("combined-uptime", 66, 51, 61, 42));

  @Test
  void constant_failures_within_three_and_a_half_points_each_and_1_7_together() {
    SimConfig a = Examples.read("constant-a.xml");
    SimConfig b = Examples.read("constant-b.xml");
    double squares = 0;
    for (Row row : CONSTANT) {
      SimResult onA = Examples.run(a, row.strategy(), SEEDS);
      SimResult onB = Examples.run(b, row.strategy(), SEEDS);
      squares += near(row.strategy() + " A avEff", onA.avEff(), row.effA());
      squares += near(row.strategy() + " A avDone", onA.avDone(), row.doneA());
      squares += near(row.strategy() + " B avEff", onB.avEff(), row.effB());
      squares += near(row.strategy() + " B avDone", onB.avDone(), row.doneB());
    }
    assertThat(Math.sqrt(squares / (4 * CONSTANT.size()))).isLessThan(1.7);
  }

  private static double near(String what, Spread ours, double published) {
    assertThat(ours.mean()).as(what).isCloseTo(published, within(POINTS));
    return Math.pow(ours.mean() - published, 2);
  }

  @ParameterizedTest
  @CsvSource({
    "balanced, 3765, 60",
    "performance, 3135, 61",
    "combined-runtime, 3460, ",
    "combined-improved, 3285, 65"
  })
  void rising_failures_within_eight_percent_and_three_and_a_half_points(
      String strategy, double makespan, Double efficiency) {
    SimResult ours = Examples.run(Examples.read("ramp-a.xml"), strategy, SEEDS);
    assertThat(Objects.requireNonNull(ours.makespan()).mean())
        .isCloseTo(makespan, within(0.08 * makespan));
    if (efficiency != null) {
      assertThat(ours.effWindow().mean()).isCloseTo(efficiency, within(POINTS));
    }
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
