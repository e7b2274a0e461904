package dev.imker.core.strategy.survival;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.strategy.PoolFixture;
import dev.imker.core.strategy.StrategyMemory;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestsTest {
  private static final long HOUR = 3_600_000;

  private final NodeProfile node = new PoolFixture(3).node(0, 1, 1);
  private final Rests rests = new Rests();

  @Test
  void hopeless_node_tries_once_and_rests_for_some_hours() {
    rests.judge(node, 0.05);
    assertThat(rests.rests(node, HOUR)).as("it may try first").isFalse();
    assertThat(rests.onAssigned(node, HOUR)).isTrue();
    assertThat(rests.rests(node, 2 * HOUR)).isTrue();
    assertThat(rests.rests(node, 5 * HOUR)).as("it may try again").isFalse();
  }

  @Test
  void node_with_some_hope_never_rests() {
    rests.judge(node, 0.3);
    assertThat(rests.onAssigned(node, HOUR)).isFalse();
    assertThat(rests.rests(node, HOUR)).isFalse();
  }

  @Test
  void rest_ends_when_there_is_work_that_it_can_finish() {
    rests.judge(node, 0.05);
    rests.onAssigned(node, HOUR);
    rests.judge(node, 0.9);
    assertThat(rests.rests(node, 2 * HOUR)).isFalse();
  }

  @Test
  void rest_goes_on_after_a_restart() {
    rests.judge(node, 0.05);
    rests.onAssigned(node, HOUR);
    Map<String, double[]> memory = new HashMap<>();
    rests.rememberNode(node, memory);
    Rests next = new Rests();
    next.recallNode(node, new StrategyMemory("node n0", memory));
    assertThat(next.rests(node, 2 * HOUR)).isTrue();
    assertThat(next.rests(node, 5 * HOUR)).isFalse();
  }
}
