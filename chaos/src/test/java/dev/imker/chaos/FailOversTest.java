package dev.imker.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.chaos.check.PoolWrites;
import dev.imker.chaos.check.PoolWrites.TaskWrite;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FailOversTest {
  private static TaskWrite dispatch(long atMillis, long epoch) {
    return new TaskWrite(
        atMillis,
        atMillis,
        "s",
        TaskId.of(1, 0),
        Optional.empty(),
        TaskState.RUNNING,
        LeaseToken.of(epoch, 1),
        1);
  }

  @Test
  void figures_are_those_of_the_distribution() {
    List<Long> millis = LongStream.rangeClosed(1, 100).map(n -> 101 - n).boxed().toList();
    assertThat(FailOvers.figures(millis)).isEqualTo("100 times, p50 50 ms, p95 95 ms, max 100 ms");
  }

  @Test
  void the_end_is_the_first_lease_of_a_later_epoch() {
    FailOvers failOvers = new FailOvers();
    failOvers.leaderGone(FailOvers.Way.KILLED, false, 3, true);
    long later = System.currentTimeMillis() + 60_000;
    PoolWrites writes =
        new PoolWrites(
            List.of(), List.of(), List.of(dispatch(later, 3), dispatch(later + 1, 4)), Map.of());
    assertThat(failOvers.report(writes))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("leader killed, successor chosen by the database: 1 times");
  }

  @Test
  void what_something_else_may_have_delayed_is_counted_apart() {
    FailOvers failOvers = new FailOvers();
    failOvers.leaderGone(FailOvers.Way.HUNG, true, 3, true);
    failOvers.disturbed(60_000);
    PoolWrites writes =
        new PoolWrites(
            List.of(),
            List.of(),
            List.of(dispatch(System.currentTimeMillis() + 60_000, 4)),
            Map.of());
    assertThat(failOvers.report(writes))
        .first()
        .asString()
        .startsWith("leader hung, successor chosen by ZooKeeper: none; with other faults");
  }
}
