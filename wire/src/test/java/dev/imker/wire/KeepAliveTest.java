package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeepAliveTest {
  @Test
  void silence_lasts_three_intervals_where_answers_are_quick() {
    assertThat(KeepAlive.patienceNanos(1_000, 0)).isEqualTo(3_000);
  }

  @Test
  void slow_answers_are_waited_for_longer_but_at_most_twice_as_long() {
    assertThat(KeepAlive.patienceNanos(1_000, 400)).isEqualTo(4_200);
    assertThat(KeepAlive.patienceNanos(1_000, 50_000)).isEqualTo(6_000);
  }
}
