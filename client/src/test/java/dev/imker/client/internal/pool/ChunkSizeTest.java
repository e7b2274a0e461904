package dev.imker.client.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChunkSizeTest {
  private static final int SLOTS = 2;
  private static final long MICROSECOND = 1_000;
  private static final long SECOND = 1_000_000_000;

  private final ChunkSize size = new ChunkSize(0);

  @Test
  void few_calls_are_sent_alone_until_something_is_known() {
    assertThat(size.window(SLOTS)).isLessThan(100);
    assertThat(size.choose(50, SLOTS)).isEqualTo(1);
  }

  @Test
  void short_calls_go_together_and_many_are_under_way() {
    ran(50, MICROSECOND);
    assertThat(size.choose(100_000, SLOTS)).isGreaterThan(1_000);
    assertThat(size.window(SLOTS)).isGreaterThan(100_000);
  }

  @Test
  void a_long_call_in_between_does_not_send_all_short_ones_alone() {
    ran(50, MICROSECOND);
    ran(1, 10 * SECOND);
    assertThat(size.choose(50_000, SLOTS)).isEqualTo(1);
    assertThat(size.window(SLOTS)).isLessThanOrEqualTo(1_000);
    ran(60, MICROSECOND);
    assertThat(size.choose(50_000, SLOTS)).isGreaterThan(1_000);
    assertThat(size.window(SLOTS)).isGreaterThan(100_000);
  }

  @Test
  void long_calls_keep_all_slots_of_a_large_pool_busy() {
    ran(50, 10 * SECOND);
    assertThat(size.window(5_000)).isGreaterThanOrEqualTo(5_000);
    assertThat(size.choose(5_000, 5_000)).isEqualTo(1);
  }

  private void ran(int times, long nanosEach) {
    for (int i = 0; i < times; i++) {
      size.ran(1, nanosEach);
    }
  }
}
