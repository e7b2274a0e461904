package dev.imker.coord;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeaseLengthTest {
  private final LeaseLength length = new LeaseLength(new LeaseTimes(1_000, 6_000));

  private void renewed(int times, long millis) {
    for (int i = 0; i < times; i++) {
      length.renewed(millis);
    }
  }

  @Test
  void lasts_as_long_as_it_may_before_anything_is_known() {
    assertThat(length.millis()).isEqualTo(6_000);
  }

  @Test
  void comes_down_to_its_least_where_renewing_is_quick() {
    renewed(100, 0);
    assertThat(length.millis()).isEqualTo(3_000);
  }

  @Test
  void grows_at_once_with_one_slow_renewal_and_comes_down_by_and_by() {
    renewed(100, 0);
    length.renewed(500);
    assertThat(length.millis()).isEqualTo(5_000);
    long before = length.millis();
    renewed(5, 0);
    assertThat(length.millis()).isBetween(3_001L, before - 1);
  }

  @Test
  void never_lasts_longer_than_was_set() {
    renewed(3, 60_000);
    assertThat(length.millis()).isEqualTo(6_000);
  }
}
