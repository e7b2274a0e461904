package dev.imker.agent.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PacingTest {
  private long now = -1_000_000;
  private final Pacing pacing = new Pacing(3, 100, now);

  private void leave() {
    assertThat(pacing.waitNanos(now)).isZero();
    pacing.leave(now);
  }

  @Test
  void a_few_leave_at_once_and_the_rest_in_steps() {
    leave();
    leave();
    leave();
    assertThat(pacing.waitNanos(now)).isEqualTo(100);
    now += 40;
    assertThat(pacing.waitNanos(now)).isEqualTo(60);
    now += 60;
    leave();
    assertThat(pacing.waitNanos(now)).isEqualTo(100);
  }

  @Test
  void a_quiet_time_earns_no_more_than_the_burst() {
    now += 1_000_000_000;
    leave();
    leave();
    leave();
    assertThat(pacing.waitNanos(now)).isEqualTo(100);
  }

  @Test
  void one_that_leaves_early_is_paid_for_later() {
    leave();
    leave();
    leave();
    pacing.leave(now);
    assertThat(pacing.waitNanos(now)).isEqualTo(200);
  }
}
