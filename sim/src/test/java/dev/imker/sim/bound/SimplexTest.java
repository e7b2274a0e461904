package dev.imker.sim.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SimplexTest {
  @Test
  void finds_the_corner_with_the_largest_value() {
    double[][] rows = {{1, 0, 4}, {0, 2, 12}, {3, 2, 18}};
    double[] best = new Simplex(rows, new double[] {3, 5}).solve();
    assertThat(best[0]).isCloseTo(2, within(1e-6));
    assertThat(best[1]).isCloseTo(6, within(1e-6));
  }

  @Test
  void comes_to_an_end_where_many_corners_coincide() {
    // The example of Beale (1955), on which the plain method goes round for ever.
    double[][] rows = {
      {0.25, -60, -1.0 / 25, 9, 0}, {0.5, -90, -1.0 / 50, 3, 0}, {0, 0, 1, 0, 1},
    };
    double[] objective = {0.75, -150, 0.02, -6};
    double[] best = new Simplex(rows, objective.clone()).solve();
    double value = 0;
    for (int i = 0; i < best.length; i++) {
      value += objective[i] * best[i];
    }
    assertThat(value).isCloseTo(0.05, within(1e-6));
  }

  @Test
  void says_when_there_is_no_maximum() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Simplex(new double[][] {{-1, 1}}, new double[] {1}).solve())
        .withMessageContaining("x0 may grow for ever");
  }
}
