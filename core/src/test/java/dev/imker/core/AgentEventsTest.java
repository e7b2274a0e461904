package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.AgentView;
import dev.imker.core.profile.NodeProfile;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskState;
import dev.imker.model.change.NodeSeen;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentEventsTest extends SchedulerFixture {
  private static final long MINUTE = 60_000;

  @Test
  void comings_and_goings_are_told_as_changes() {
    connect("a", 2);
    scheduler.onDisconnect(now, id("a"), out);
    assertThat(out.takeChanges(NodeSeen.class))
        .extracting(NodeSeen::connected)
        .containsExactly(true, false);
    connect("a", 2);
    pass(LEASE_MILLIS + 1);
    scheduler.onSignOfLife(now, id("a"), List.of(), out);
    assertThat(out.takeChanges(NodeSeen.class))
        .extracting(NodeSeen::connected)
        .containsExactly(true, false, true);
  }

  @Test
  void silence_ends_the_up_time_of_a_node() {
    connect("a", 1);
    NodeProfile node = scheduler.profiles().node(0);
    assertThat(node.isUp()).isTrue();
    now += MINUTE;
    scheduler.onSignOfLife(now, id("a"), List.of(), out);
    scheduler.onDisconnect(now, id("a"), out);
    assertThat(node.isUp()).isTrue();
    pass(LEASE_MILLIS + 1);
    assertThat(node.isUp()).isFalse();
    assertThat(node.recentUptimesMinutes()).hasSize(1);
    assertThat(scheduler.view().agents()).isEmpty();
  }

  @Test
  void node_is_up_as_long_as_one_of_its_agents_is() {
    connectOn("shared", "a");
    connectOn("shared", "b");
    NodeProfile node = scheduler.profiles().node(0);
    now += LEASE_MILLIS;
    scheduler.onSignOfLife(now, id("b"), List.of(), out);
    scheduler.onDisconnect(now, id("a"), out);
    pass(1_000);
    assertThat(scheduler.view().agents()).extracting(AgentView::agent).containsExactly(id("b"));
    assertThat(node.isUp()).isTrue();
  }

  @Test
  void slots_of_tasks_that_wait_for_others_are_free_for_those() {
    submit(header(1, 4));
    connect("a", 1);
    dispatch();
    assertThat(out.takeAssigned()).hasSize(1);
    scheduler.onWaiting(now, id("a"), 1, Map.of());
    dispatch();
    assertThat(out.takeAssigned()).hasSize(1);
    scheduler.onWaiting(now, id("a"), 0, Map.of());
    dispatch();
    assertThat(out.takeAssigned()).isEmpty();
  }

  @Test
  void tasks_that_wait_for_others_do_not_count_for_the_quota() {
    submit(header(1, 4));
    scheduler.onQuota("ada", 1);
    connect("a", 4);
    dispatch();
    assertThat(out.takeAssigned()).hasSize(1);
    scheduler.onWaiting(now, id("a"), 1, Map.of("ada", 1));
    dispatch();
    assertThat(out.takeAssigned()).hasSize(1);
    scheduler.onWaiting(now, id("a"), 0, Map.of());
    dispatch();
    assertThat(out.takeAssigned()).isEmpty();
  }

  @Test
  void restarted_agent_begins_a_new_up_time() {
    connect("a", 1);
    now += 5 * MINUTE;
    scheduler.onHello(now, agent("a", 1, 2, List.of()), out);
    NodeProfile node = scheduler.profiles().node(0);
    assertThat(node.recentUptimesMinutes()).containsExactly(5);
    assertThat(node.currentUptimeMinutes(now)).isZero();
  }

  @Test
  void reconnect_goes_on_with_the_same_up_time() {
    connect("a", 1);
    scheduler.onDisconnect(now, id("a"), out);
    now += LEASE_MILLIS / 2;
    connect("a", 1);
    NodeProfile node = scheduler.profiles().node(0);
    assertThat(node.recentUptimesMinutes()).isEmpty();
    assertThat(node.currentUptimeMinutes(now)).isEqualTo(0.25);
  }

  @Test
  void drained_agent_that_leaves_is_no_outage() {
    connect("a", 1);
    scheduler.onDrain(now, id("a"), true, out);
    scheduler.onDisconnect(now, id("a"), out);
    assertThat(scheduler.view().agents()).isEmpty();
    NodeProfile node = scheduler.profiles().node(0);
    assertThat(node.isUp()).isFalse();
    assertThat(node.recentUptimesMinutes()).isEmpty();
  }

  @Test
  void agent_that_moves_to_another_node_loses_its_tasks() {
    submit(header(1, 1));
    connectOn("first", "a");
    leaseFor("a");
    connectOn("second", "a");
    assertState(TaskState.READY, 1, 0);
    assertThat(scheduler.view().agents())
        .extracting(AgentView::node)
        .containsExactly(new NodeId("second"));
    leaseFor("a");
  }

  @Test
  void profiles_learn_from_attempts() {
    submit(header(1, 3));
    connect("a", 1);
    NodeProfile node = scheduler.profiles().node(0);
    Lease lease = leaseFor("a");
    assertThat(node.working()).isEqualTo(1);
    finish("a", lease, AttemptOutcome.SUCCEEDED, 6 * MINUTE);
    out.assertConfirmed(lease, true);
    assertThat(node.succeededMinutes()).isEqualTo(6);
    assertThat(scheduler.profiles().project(0).runMinutes()).isEqualTo(6);
    assertThat(scheduler.profiles().project(0).done()).isEqualTo(1);
    lease = leaseFor("a");
    finish("a", lease, AttemptOutcome.FAILED, 2 * MINUTE);
    out.assertConfirmed(lease, true);
    assertThat(node.failedMinutes()).isZero(); // it may be the task's own fault
    finishes("a", leaseFor("a"), AttemptOutcome.GIVEN_BACK);
    assertThat(node.successes()).isEqualTo(1);
    assertThat(node.failures()).isEqualTo(1);
    assertThat(node.working()).isZero();
  }

  @Test
  void success_that_crosses_the_run_time_limit_counts() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = overLimit();
    finishes("a", lease, AttemptOutcome.SUCCEEDED);
    assertState(TaskState.DONE, 1, 0);
  }

  @Test
  void task_over_its_limit_that_is_lost_has_failed_for_good() {
    submit(header(1, 1));
    connect("a", 1);
    overLimit();
    connect("a", 1);
    assertState(TaskState.FAILED, 1, 0);
  }

  @Test
  void agent_may_notice_the_limit_itself() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    finish("a", lease, AttemptOutcome.STOPPED, 60_000);
    out.assertConfirmed(lease, true);
    assertState(TaskState.FAILED, 1, 0);
  }

  private Lease overLimit() {
    Lease lease = leaseFor("a");
    now += 60_000;
    scheduler.onSignOfLife(now, id("a"), List.of(lease), out);
    scheduler.onTick(now, out);
    out.assertStopped(lease, "exceeded its time limit");
    return lease;
  }

  private void connectOn(String node, String name) {
    AgentHello hello =
        new AgentHello(id(name), new NodeId(node), name, "1", platform(), 1, 1, List.of());
    scheduler.onHello(now, hello, out);
  }
}
