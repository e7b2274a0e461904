package dev.imker.server.loop.pulse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StandstillTest {
  private final Standstill standstill = new Standstill();

  @Test
  void only_what_is_longer_than_usual_between_two_turns_counts() {
    assertThat(standstill.before(1_000_000)).isZero();
    assertThat(standstill.before(1_000_100)).isZero();
    assertThat(standstill.before(1_000_100 + Standstill.USUAL_MILLIS)).isZero();
    assertThat(standstill.before(1_060_100 + 2 * Standstill.USUAL_MILLIS)).isEqualTo(60_000);
    assertThat(standstill.before(1_060_200 + 2 * Standstill.USUAL_MILLIS)).isZero();
  }

  @Test
  void reading_the_state_counts_but_not_what_was_before_it() {
    standstill.before(1_000_000);
    standstill.begin(9_000_000);
    assertThat(standstill.before(9_020_000 + Standstill.USUAL_MILLIS)).isEqualTo(20_000);
  }
}
