package dev.imker.wire.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class BackoffTest {
  /** Draws the largest number there is. */
  private static final RandomGenerator LARGEST =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return 0;
        }

        @Override
        public long nextLong(long bound) {
          return bound - 1;
        }
      };

  private final Backoff backoff =
      new Backoff(Duration.ofMillis(100), Duration.ofMillis(1_000), LARGEST);

  @Test
  void delays_grow_up_to_the_longest() {
    assertThat(backoff.nextMillis()).isEqualTo(100);
    assertThat(backoff.nextMillis()).isEqualTo(200);
    assertThat(backoff.nextMillis()).isEqualTo(400);
    assertThat(backoff.nextMillis()).isEqualTo(800);
    assertThat(backoff.nextMillis()).isEqualTo(1_000);
    assertThat(backoff.nextMillis()).isEqualTo(1_000);
  }

  @Test
  void connection_that_outlived_the_next_delay_begins_anew() {
    backoff.nextMillis();
    backoff.nextMillis();
    backoff.lasted(399);
    assertThat(backoff.nextMillis()).isEqualTo(400);
    backoff.lasted(800);
    assertThat(backoff.nextMillis()).isEqualTo(100);
  }
}
