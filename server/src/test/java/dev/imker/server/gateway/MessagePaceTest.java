package dev.imker.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.Attack;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MessagePaceTest {
  private long now = 7;
  private final MessagePace pace = new MessagePace(() -> now);

  /** Says so many, and waits as told; returns how many seconds that took. */
  private double say(int messages, boolean reports) {
    long before = now;
    for (int i = 0; i < messages; i++) {
      now += pace.pauseNanos(reports);
    }
    return (now - before) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  @Test
  @Attack("flood the server with messages as an agent")
  void whoever_floods_is_slowed_down() {
    assertThat(say(24_000, false)).as("a burst").isZero();
    assertThat(say(50_000, false)).as("and then 5000 a second").isBetween(9.0, 10.0);
    now += TimeUnit.SECONDS.toNanos(60);
    assertThat(say(24_000, false)).as("after a rest").isZero();
  }

  @Test
  void reports_of_ended_tasks_may_be_many() {
    assertThat(say(240_000, true)).isZero();
    assertThat(say(510_000, true)).isBetween(9.0, 11.0);
  }

  @Test
  void whoever_keeps_within_bounds_never_waits() {
    for (int second = 0; second < 100; second++) {
      assertThat(say(4_900, false)).isZero();
      now += TimeUnit.SECONDS.toNanos(1);
    }
  }
}
