package dev.imker.planner.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.planner.internal.basics.Stopwatch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RaceTest {
  private static final Solution ANSWER = new Solution(null, 1, Solution.Method.SAT);

  private static Race race() {
    return new Race(new Stopwatch(Duration.ofSeconds(60), () -> false));
  }

  @Test
  void the_loser_is_stopped() throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    Technique endless =
        watch -> {
          try {
            while (true) {
              watch.check();
            }
          } finally {
            stopped.countDown();
          }
        };

    assertThat(race().run(List.of(endless, _ -> ANSWER))).isEqualTo(ANSWER);
    stopped.await();
  }

  @Test
  void a_technique_that_cannot_tell_leaves_it_to_the_other() {
    CountDownLatch given = new CountDownLatch(1);
    Technique late =
        _ -> {
          try {
            given.await();
          } catch (InterruptedException _) {
            return null;
          }
          return ANSWER;
        };
    Technique outOfMemory =
        _ -> {
          given.countDown();
          throw new OutOfMemoryError("for the test");
        };

    assertThat(race().run(List.of(outOfMemory, late))).isEqualTo(ANSWER);
  }

  @Test
  void nobody_can_tell() {
    assertThatThrownBy(() -> race().run(List.of(_ -> null, _ -> null)))
        .isInstanceOf(Stopwatch.Stopped.class);
    assertThatThrownBy(() -> race().run(List.of())).isInstanceOf(Stopwatch.Stopped.class);
  }

  @Test
  void a_bug_is_not_hidden() {
    assertThatThrownBy(
            () ->
                race()
                    .run(
                        List.of(
                            _ -> {
                              throw new IllegalStateException("bug");
                            })))
        .hasMessage("bug");
  }
}
