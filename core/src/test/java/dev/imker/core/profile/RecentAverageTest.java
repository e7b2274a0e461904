package dev.imker.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RecentAverageTest {
  private final RecentAverage average = new RecentAverage();

  @Test
  void first_value_is_the_average() {
    average.add(8);
    assertThat(average.value()).isEqualTo(8);
  }

  @Test
  void newer_values_weigh_a_quarter() {
    average.add(8);
    average.add(16);
    assertThat(average.value()).isEqualTo(10);
  }

  @Test
  void only_the_newest_ten_values_count() {
    average.add(1_000_000);
    for (int i = 0; i < 10; i++) {
      average.add(3);
    }
    assertThat(average.value()).isEqualTo(3);
    assertThat(average.values()).hasSize(10).containsOnly(3);
  }

  @Test
  void value_with_a_newest_one_is_what_adding_it_gives() {
    for (int i = 1; i <= 25; i++) {
      double expected = average.valueWith(i * i);
      average.add(i * i);
      assertThat(expected).as("after %d values", i).isCloseTo(average.value(), within(1e-9));
    }
  }

  @Test
  void restored_average_goes_on_like_the_original() {
    for (int i = 0; i < 13; i++) {
      average.add(i);
    }
    RecentAverage restored = new RecentAverage();
    restored.restore(average.values());
    average.add(77);
    restored.add(77);
    assertThat(restored.value()).isEqualTo(average.value());
  }

  @Test
  void nothing_recorded_reads_as_zero() {
    assertThat(average.value()).isZero();
    assertThat(average.valueWith(5)).isEqualTo(5);
  }
}
