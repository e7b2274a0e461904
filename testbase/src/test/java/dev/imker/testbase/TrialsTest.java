package dev.imker.testbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TrialsTest {
  private static final Set<Long> SEEDS = new HashSet<>();

  @Trials(50)
  void every_trial_has_a_seed_of_its_own(long seed) {
    assertThat(SEEDS.add(seed)).isTrue();
  }

  @AfterAll
  static void all_trials_were_made() {
    assertThat(SEEDS).hasSize(System.getProperty("imker.seed") == null ? 50 : 1);
  }

  @Trials(500)
  void inputs_are_within_their_bounds(Generator random) {
    assertThat(random.between(-3, 5)).isBetween(-3, 5);
    assertThat(random.listOf(1, 4, g -> g.between(0.0, 1.0)))
        .hasSizeBetween(1, 4)
        .allMatch(d -> d >= 0 && d <= 1);
    assertThat(random.text("ab", 5)).matches("[ab]{0,5}");
    assertThat(random.anyText(5).length()).isLessThanOrEqualTo(10);
    assertThat(random.oneOf(List.of(1, 2))).isBetween(1, 2);
  }

  @Test
  void the_same_seed_gives_the_same_inputs() {
    List<Long> once = new Generator(7).listOf(9, 9, Generator::anyLong);
    assertThat(new Generator(7).listOf(9, 9, Generator::anyLong)).isEqualTo(once);
  }
}
