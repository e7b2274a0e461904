package dev.imker.agent.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CheckpointingTest {
  @Test
  void short_intervals_are_kept_to_the_letter() {
    assertThat(Checkpointing.pauseMillis(5_000)).isEqualTo(5_000);
  }

  @Test
  void half_an_hour_is_twenty_to_forty_minutes() {
    long usual = TimeUnit.MINUTES.toMillis(30);
    long[] pauses =
        LongStream.generate(() -> Checkpointing.pauseMillis(usual)).limit(200).toArray();
    assertThat(LongStream.of(pauses))
        .allMatch(
            pause ->
                pause >= TimeUnit.MINUTES.toMillis(20) && pause <= TimeUnit.MINUTES.toMillis(40));
    assertThat(LongStream.of(pauses).distinct().count()).isGreaterThan(1);
  }
}
