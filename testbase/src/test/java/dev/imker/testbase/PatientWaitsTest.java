package dev.imker.testbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PatientWaitsTest {
  @Test
  void a_test_that_does_not_say_how_long_it_waits_waits_for_a_minute() {
    AtomicLong left = new AtomicLong();
    AtomicLong passed = new AtomicLong();
    await()
        .conditionEvaluationListener(
            condition -> {
              left.set(condition.getRemainingTimeInMS());
              passed.set(condition.getElapsedTimeInMS());
            })
        .until(() -> true);
    assertThat(left.get() + passed.get()).isEqualTo(PatientWaits.PATIENCE.toMillis());
  }
}
