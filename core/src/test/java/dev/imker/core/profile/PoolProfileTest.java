package dev.imker.core.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import org.junit.jupiter.api.Test;

class PoolProfileTest {
  private static final long MINUTE = 60_000;

  private final PoolProfile pool = new PoolProfile();
  private final NodeProfile node = pool.node(new NodeId("n1"));
  private final ProjectProfile project = pool.project(new ProjectId("ann", "short"));

  @Test
  void reputation_starts_from_the_benchmark_class() {
    pool.onNodeUp(0, node, 9000, false);
    assertThat(node.reputation()).isEqualTo(0.5);
  }

  @Test
  void benchmark_classes_follow_their_limits() {
    assertThat(NodeProfile.benchmarkClass(4999)).isEqualTo(1);
    assertThat(NodeProfile.benchmarkClass(5000)).isEqualTo(0.5);
    assertThat(NodeProfile.benchmarkClass(10_000)).isEqualTo(0);
    assertThat(NodeProfile.benchmarkClass(15_000)).isEqualTo(-0.5);
    assertThat(NodeProfile.benchmarkClass(20_000)).isEqualTo(-1);
  }

  @Test
  void run_time_classes_follow_their_limits() {
    double[] minutes = {0, 15, 60, 180, 480, 960, 2160};
    for (int i = 0; i < minutes.length; i++) {
      assertThat(ProjectProfile.runTimeClass(minutes[i])).isEqualTo((i - 3) / 3.0);
    }
  }

  @Test
  void success_and_failure_move_reputation_by_a_quarter() {
    pool.onNodeUp(0, node, 12_000, false);
    attempt(true);
    assertThat(node.reputation()).isEqualTo(0.25);
    attempt(false);
    assertThat(node.reputation()).isEqualTo(0.25 * -1 + 0.75 * 0.25);
    assertThat(node.successes()).isEqualTo(1);
    assertThat(node.failures()).isEqualTo(1);
  }

  @Test
  void failed_run_times_do_not_count_for_the_project() {
    pool.onNodeUp(0, node, 4000, false);
    pool.onAssigned(0, node, project, false);
    pool.onFailed(3 * MINUTE, node, project, 3 * MINUTE);
    assertThat(node.failedMinutes()).isEqualTo(3);
    assertThat(project.isRunTimeKnown()).isFalse();
    pool.onAssigned(0, node, project, false);
    pool.onSucceeded(3 * MINUTE, node, project, 7 * MINUTE);
    assertThat(project.runMinutes()).isEqualTo(7);
    assertThat(node.succeededMinutes()).isEqualTo(7);
  }

  @Test
  void uptime_by_the_wall_clock_runs_while_idle() {
    pool.onNodeUp(10 * MINUTE, node, 4000, false);
    assertThat(node.currentUptimeMinutes(25 * MINUTE)).isEqualTo(15);
    pool.onNodeDown(30 * MINUTE, node);
    assertThat(node.completedUptimeMinutes()).isEqualTo(20);
    assertThat(node.currentUptimeMinutes(40 * MINUTE)).isZero();
  }

  @Test
  void uptime_by_the_busy_clock_stands_while_idle() {
    pool.clock(UptimeClock.BUSY);
    pool.onNodeUp(0, node, 4000, false);
    pool.onAssigned(5 * MINUTE, node, project, false);
    pool.onSucceeded(8 * MINUTE, node, project, 3 * MINUTE);
    assertThat(node.currentUptimeMinutes(20 * MINUTE)).isEqualTo(3);
    pool.onAssigned(20 * MINUTE, node, project, false);
    assertThat(node.currentUptimeMinutes(24 * MINUTE)).isEqualTo(7);
  }

  @Test
  void current_uptime_is_the_newest_value_of_the_average() {
    pool.onNodeUp(0, node, 4000, false);
    pool.onNodeDown(100 * MINUTE, node);
    pool.onNodeUp(100 * MINUTE, node, 4000, false);
    assertThat(node.uptimeMinutes(120 * MINUTE)).isEqualTo(0.25 * 20 + 0.75 * 100);
  }

  @Test
  void going_down_twice_records_one_outage() {
    pool.onNodeUp(0, node, 4000, false);
    pool.onNodeDown(MINUTE, node);
    pool.onNodeDown(5 * MINUTE, node);
    assertThat(node.recentUptimesMinutes()).containsExactly(1);
    assertThat(pool.nodesUp()).isZero();
  }

  @Test
  void leaving_on_purpose_is_no_outage() {
    pool.onNodeUp(0, node, 4000, false);
    pool.onNodeLeft(0, node);
    assertThat(node.recentUptimesMinutes()).isEmpty();
    assertThat(pool.nodesUp()).isZero();
    assertThat(pool.meanBenchmarkMillis()).isZero();
  }

  @Test
  void ranks_cover_the_nodes_that_are_up() {
    pool.onNodeUp(0, node, 4000, false);
    NodeProfile slow = pool.node(new NodeId("n2"));
    pool.onNodeUp(0, slow, 30_000, false);
    assertThat(pool.minReputation()).isEqualTo(-1);
    assertThat(pool.maxReputation()).isEqualTo(1);
    assertThat(pool.meanBenchmarkMillis()).isEqualTo(17_000);
    pool.onNodeDown(MINUTE, slow);
    assertThat(pool.minReputation()).isEqualTo(1);
  }

  @Test
  void counts_follow_the_tasks() {
    pool.onTasksAdded(project, TaskState.READY, 10);
    pool.onTasksMoved(project, TaskState.READY, TaskState.RUNNING, 3);
    pool.onTasksMoved(project, TaskState.RUNNING, TaskState.DONE, 1);
    assertThat(project.ready()).isEqualTo(7);
    assertThat(project.working()).isEqualTo(2);
    assertThat(project.doneShare()).isEqualTo(0.1);
    assertThat(project.open()).isEqualTo(9);
  }

  @Test
  void settled_work_is_forgotten_when_new_work_arrives() {
    pool.onTasksAdded(project, TaskState.READY, 4);
    pool.onTasksMoved(project, TaskState.READY, TaskState.DONE, 4);
    assertThat(project.doneShare()).isEqualTo(1);
    pool.onTasksAdded(project, TaskState.READY, 5);
    assertThat(project.doneShare()).isZero();
    assertThat(project.total()).isEqualTo(5);
  }

  @Test
  void snapshot_brings_back_averages_but_no_counts() {
    pool.onNodeUp(0, node, 9000, false);
    pool.onTasksAdded(project, TaskState.READY, 4);
    attempt(true);
    attempt(false);
    project.onBegun(800);
    pool.onNodeDown(9 * MINUTE, node);
    PoolProfile restored = new PoolProfile();
    restored.restore(pool.snapshot());
    NodeProfile again = restored.node(node.node());
    assertThat(again.reputation()).isEqualTo(node.reputation());
    assertThat(again.succeededMinutes()).isEqualTo(node.succeededMinutes());
    assertThat(again.failedMinutes()).isEqualTo(node.failedMinutes());
    assertThat(again.completedUptimeMinutes()).isEqualTo(9);
    assertThat(restored.project(project.project()).runMinutes()).isEqualTo(project.runMinutes());
    assertThat(restored.project(project.project()).coresPerTask())
        .isEqualTo(project.coresPerTask())
        .isGreaterThan(1);
    assertThat(restored.project(project.project()).total()).isZero();
    restored.onNodeUp(0, again, 9000, false);
    assertThat(again.reputation()).isEqualTo(node.reputation());
  }

  private void attempt(boolean success) {
    pool.onAssigned(0, node, project, false);
    if (success) {
      pool.onSucceeded(2 * MINUTE, node, project, 2 * MINUTE);
    } else {
      pool.onFailed(2 * MINUTE, node, project, 2 * MINUTE);
    }
  }
}
