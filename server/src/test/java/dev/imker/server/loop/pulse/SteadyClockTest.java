package dev.imker.server.loop.pulse;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
  private long wallMillis = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();
  private long uptimeNanos = -5_000_000_000L;
  private final SteadyClock clock = new SteadyClock(() -> wallMillis, () -> uptimeNanos);

  private void pass(long millis) {
    wallMillis += millis;
    uptimeNanos += Duration.ofMillis(millis).toNanos();
  }

  @Test
  void it_follows_a_clock_that_behaves() {
    long start = clock.millis();
    assertThat(start).isEqualTo(wallMillis);
    for (int i = 0; i < 1000; i++) {
      pass(17);
      assertThat(clock.millis()).isEqualTo(wallMillis);
    }
    assertThat(clock.instant()).isEqualTo(Instant.ofEpochMilli(start + 17_000));
  }

  @Test
  void a_jump_forward_hardly_shortens_a_lease() {
    long before = clock.millis();
    wallMillis += HOUR_MILLIS;
    assertThat(clock.millis()).isEqualTo(before);
    pass(30_000);
    assertThat(clock.millis() - before).isBetween(30_000L, 33_000L);
  }

  @Test
  void a_jump_back_hardly_lengthens_a_lease() {
    long before = clock.millis();
    wallMillis -= HOUR_MILLIS;
    assertThat(clock.millis()).isEqualTo(before);
    pass(30_000);
    assertThat(clock.millis() - before).isBetween(27_000L, 30_000L);
  }

  @Test
  void after_a_jump_it_comes_back_to_the_time_of_day() {
    wallMillis += HOUR_MILLIS;
    for (int i = 0; i < 11 * 3600; i++) {
      pass(1000);
      clock.millis();
    }
    assertThat(clock.millis()).isEqualTo(wallMillis);
  }

  @Test
  void it_never_goes_back_whatever_the_machine_does() {
    long seed = Long.getLong("imker.seed", System.nanoTime());
    Random random = new Random(seed);
    long last = clock.millis();
    for (int i = 0; i < 100_000; i++) {
      wallMillis += random.nextLong(-HOUR_MILLIS, HOUR_MILLIS);
      uptimeNanos += random.nextLong(-1_000_000, 50_000_000);
      long now = clock.millis();
      assertThat(now).as("imker.seed=" + seed).isBetween(last, last + 56);
      last = now;
    }
  }
}
