package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class SeededRandomTest {
  @Test
  void same_seed_gives_the_same_numbers() {
    SeededRandom one = new SeededRandom(7);
    SeededRandom other = new SeededRandom(7);
    for (int i = 0; i < 100; i++) {
      assertThat(one.nextInt(1 + i)).isEqualTo(other.nextInt(1 + i));
    }
  }

  @Test
  void numbers_are_those_of_splitmix() {
    SeededRandom ours = new SeededRandom(12345);
    SplittableRandom reference = new SplittableRandom(12345);
    for (int i = 0; i < 100; i++) {
      assertThat(ours.nextLong()).isEqualTo(reference.nextLong());
    }
  }

  @Test
  void bounded_numbers_are_equally_likely() {
    SeededRandom random = new SeededRandom(1);
    int[] counts = new int[7];
    for (int i = 0; i < 700_000; i++) {
      counts[random.nextInt(7)]++;
    }
    for (int count : counts) {
      assertThat(count).isCloseTo(100_000, Percentage.withPercentage(2));
    }
  }

  @Test
  void largest_bound_is_kept_and_bad_ones_are_refused() {
    SeededRandom random = new SeededRandom(1);
    for (int i = 0; i < 1000; i++) {
      assertThat(random.nextInt(Integer.MAX_VALUE)).isBetween(0, Integer.MAX_VALUE - 1);
    }
    assertThatThrownBy(() -> random.nextInt(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
