package dev.imker.core.strategy.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BeliefTest {
  private final float[] prior = prior();
  private final Belief belief = new Belief();

  @Test
  void survival_falls_with_the_minutes_ahead() {
    double before = 1;
    for (double minutes = 1; minutes < 5000; minutes *= 1.5) {
      double survival = belief.survival(60, minutes);
      assertThat(survival).isLessThan(before).isPositive();
      before = survival;
    }
  }

  @Test
  void expected_minutes_lie_between_survivors_and_all() {
    double survival = belief.survival(30, 100);
    assertThat(belief.expectedMinutes(30, 100)).isBetween(100 * survival, 100.0);
  }

  @Test
  void having_lived_long_makes_living_on_likelier() {
    assertThat(belief.survival(3000, 200)).isGreaterThan(belief.survival(0, 200));
  }

  @Test
  void frequent_outages_are_learnt() {
    for (int i = 0; i < 10; i++) {
      belief.onOutage(20, prior);
    }
    assertThat(belief.survival(0, 60)).isLessThan(0.2);
    assertThat(belief.survival(0, 5)).isGreaterThan(0.6);
  }

  @Test
  void safe_period_is_learnt() {
    for (int i = 0; i < 10; i++) {
      belief.onOutage(430 + 10 * (i % 3), prior);
    }
    assertThat(belief.survival(0, 300)).isGreaterThan(0.9);
    assertThat(belief.survival(400, 300)).isLessThan(0.2);
  }

  @Test
  void change_is_noticed_after_a_few_outages() {
    belief.onOutage(5000, prior);
    assertThat(belief.survival(0, 100)).isGreaterThan(0.8);
    for (int i = 0; i < 4; i++) {
      belief.onOutage(15, prior);
    }
    assertThat(belief.survival(0, 100)).isLessThan(0.3);
  }

  @Test
  void constant_hazards_survive_as_they_should() {
    float[] one = new float[Hazards.COUNT];
    one[6] = 1;
    belief.set(one);
    assertThat(belief.survival(100, 50)).isCloseTo(Math.exp(-0.5), within(0.01));
    assertThat(belief.expectedMinutes(100, 50)).isCloseTo((1 - Math.exp(-0.5)) / 0.01, within(0.5));
  }

  @Test
  void impossible_outage_leaves_a_belief() {
    float[] one = new float[Hazards.COUNT];
    one[Hazards.COUNT - 1] = 1;
    belief.set(one);
    belief.onOutage(1, prior);
    assertThat(belief.survival(0, 10)).isBetween(0.0, 1.0);
  }

  private static float[] prior() {
    float[] weights = new float[Hazards.COUNT];
    for (int h = 0; h < Hazards.COUNT; h++) {
      weights[h] = Hazards.prior(h);
    }
    return weights;
  }
}
