package dev.imker.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What survival has to reach with one setting on all reference configurations. */
class SurvivalFiguresTest {
  private static final int SEEDS = 10;

  @ParameterizedTest
  @CsvSource({"constant-a.xml, 74, 56", "constant-b.xml, 70.5, 45.5"})
  void constant_failures(String file, double efficiency, double done) {
    SimResult result = Examples.run(Examples.read(file), "survival", SEEDS);
    assertThat(result.avEff().mean()).isGreaterThanOrEqualTo(efficiency);
    assertThat(result.avDone().mean()).isGreaterThanOrEqualTo(done);
  }

  @ParameterizedTest
  @CsvSource({"ramp-a.xml, 2350", "ramp-b.xml, 4150", "ramp-c.xml, 4450"})
  void rising_failures(String file, double makespan) {
    SimResult result = Examples.run(Examples.read(file), "survival", SEEDS);
    assertThat(Objects.requireNonNull(result.makespan()).mean()).isLessThanOrEqualTo(makespan);
  }
}
