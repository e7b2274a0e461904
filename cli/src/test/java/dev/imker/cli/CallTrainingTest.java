package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallTrainingTest {
  @TempDir Path home;

  @Test
  void java_calls_are_part_of_the_training_for_a_fast_start() throws Exception {
    try (TrainingPool pool = TrainingPool.start(home, false)) {
      assertThat(CallTraining.run(pool, home.resolve("a"), Duration.ofMinutes(2))).isTrue();
      assertThat(CallTraining.run(pool, home.resolve("b"), Duration.ZERO))
          .as("calls that do not end")
          .isFalse();
    }
  }
}
