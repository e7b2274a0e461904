package dev.imker.core.strategy.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LengthsTest {
  private final Lengths lengths = new Lengths();

  @Test
  void tasks_of_one_length_are_one_point() {
    for (int i = 0; i < 600; i++) {
      lengths.add(1);
    }
    assertThat(lengths.points()).isEqualTo(1);
    assertThat(lengths.ratio(0)).isCloseTo(1, within(0.02));
    assertThat(lengths.mean()).isCloseTo(1, within(0.02));
  }

  @Test
  void shares_make_up_all_and_lengths_ascend() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 500; i++) {
      lengths.add(random.nextExponential());
    }
    double sum = 0;
    for (int i = 0; i < lengths.points(); i++) {
      sum += lengths.share(i);
      assertThat(i == 0 || lengths.ratio(i) > lengths.ratio(i - 1)).isTrue();
    }
    assertThat(sum).isCloseTo(1, within(1e-9));
    assertThat(lengths.mean()).isCloseTo(1, within(0.25));
    assertThat(lengths.ratio(lengths.points() - 1)).isGreaterThan(2);
  }

  @Test
  void attempts_that_were_cut_off_make_long_tasks_more_likely() {
    SplittableRandom random = new SplittableRandom(6);
    Lengths finishedOnly = new Lengths();
    for (int i = 0; i < 400; i++) {
      double length = random.nextExponential();
      double life = 1.5 * random.nextExponential();
      if (length <= life) {
        lengths.add(length);
        finishedOnly.add(length);
      } else {
        lengths.addLonger(life);
      }
    }
    assertThat(finishedOnly.mean()).isLessThan(0.8);
    assertThat(lengths.mean()).isCloseTo(1, within(0.3)).isGreaterThan(finishedOnly.mean());
  }

  @Test
  void task_longer_than_all_before_is_expected_to_take_longer_still() {
    for (int i = 0; i < 100; i++) {
      lengths.add(1);
    }
    lengths.addLonger(20);
    assertThat(lengths.ratio(lengths.points() - 1)).isGreaterThan(20);
  }

  @Test
  void memory_brings_all_back() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 50; i++) {
      lengths.add(random.nextExponential());
    }
    Lengths other = new Lengths();
    other.recall(lengths.memory());
    assertThat(other.points()).isEqualTo(lengths.points());
    assertThat(other.mean()).isEqualTo(lengths.mean());
  }
}
