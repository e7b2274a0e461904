package dev.imker.server.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageHistoryTest {
  private static final TaskId TASK = TaskId.of(1, 0);
  private static final NodeId NODE = new NodeId("node");
  private final UsageHistory usage = new UsageHistory();

  private static Lease lease(long token) {
    return new Lease(TASK, new LeaseToken(token, 1));
  }

  private void told(long atMillis, long token, long cpuMillis, long memoryBytes) {
    usage.ofTask(atMillis, lease(token), new UsageHistory.Used(cpuMillis, memoryBytes, 0));
  }

  @Test
  void processor_time_becomes_cores_between_two_reports() {
    told(10_000, 1, 4_000, 100);
    told(15_000, 1, 14_000, 200);
    told(20_000, 1, 16_500, 150);
    assertThat(usage.ofTask(TASK))
        .containsExactly(
            new UsageSeries.Point(15_000, 2, 200, 0), new UsageSeries.Point(20_000, 0.5, 150, 0));
  }

  @Test
  void the_next_attempt_begins_anew_and_a_copy_does_not_mix_in() {
    told(0, 1, 0, 100);
    told(5_000, 1, 5_000, 100);
    told(6_000, 2, 700_000, 999);
    told(10_000, 1, 10_000, 100);
    assertThat(usage.ofTask(TASK)).extracting(UsageSeries.Point::cores).containsExactly(1.0, 1.0);
    told(100_000, 2, 700_000, 50);
    told(105_000, 2, 701_000, 60);
    assertThat(usage.ofTask(TASK)).containsExactly(new UsageSeries.Point(105_000, 0.2F, 60, 0));
  }

  @Test
  void a_long_life_is_told_more_coarsely_and_keeps_its_peaks() {
    told(0, 1, 0, 1);
    long atMillis = 0;
    for (int i = 0; i < 50_000; i++) {
      atMillis += 5_000;
      told(atMillis, 1, atMillis / 2, i == 20_000 ? 7_000_000 : 1_000_000);
    }
    List<UsageSeries.Point> points = usage.ofTask(TASK);
    assertThat(points).hasSizeBetween(100, 240);
    assertThat(points.getFirst().atMillis()).isLessThan(atMillis / 50);
    assertThat(points.getLast().atMillis()).isGreaterThan(atMillis - atMillis / 50);
    assertThat(points).allMatch(point -> point.cores() == 0.5);
    assertThat(points).anyMatch(point -> point.memoryBytes() == 7_000_000);
  }

  @Test
  void a_machine_is_remembered_for_a_day_however_often_its_agents_speak() {
    for (long second = 0; second < 3 * 86_400; second++) {
      usage.ofNode(second * 1_000, NODE, 1, 2 << 20, 3 << 20);
    }
    List<UsageSeries.Point> points = usage.ofNode(NODE);
    assertThat(points).hasSizeBetween(60, 240);
    assertThat(points.getFirst().atMillis()).isGreaterThan(86_400_000L);
  }

  @Test
  void of_too_many_the_silent_ones_are_forgotten() {
    for (int i = 0; i < 30_000; i++) {
      usage.ofNode(i * 10_000L, new NodeId("n" + i), 1, 1, 1);
    }
    assertThat(usage.ofNode(new NodeId("n0"))).isEmpty();
    assertThat(usage.ofNode(new NodeId("n29999"))).hasSize(1);
  }
}
