package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.JobHeader;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.message.StageHeader;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.NodeSeen;
import dev.imker.model.job.TaskRules;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseTest extends SchedulerFixture {
  @Test
  void silence_past_the_deadline_returns_the_task_with_a_new_token() {
    submit(header(1, 1));
    connect("a", 1);
    Lease first = leaseFor("a");
    pass(LEASE_MILLIS);
    assertState(TaskState.RUNNING, 1, 0);
    pass(1);
    assertState(TaskState.READY, 1, 0);
    connect("b", 1);
    dispatch();
    RecordingOutbox.Assigned second = out.takeAssignedTo("b");
    assertThat(second.lease().token()).isGreaterThan(first.token());
    assertThat(second.attempt()).isEqualTo(2);
  }

  @Test
  void sign_of_life_renews() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    for (int i = 0; i < 5; i++) {
      pass(LEASE_MILLIS);
      assertThat(scheduler.onSignOfLife(now, id("a"), List.of(lease), out)).isEmpty();
    }
    assertState(TaskState.RUNNING, 1, 0);
    out.takeAll();
  }

  @Test
  void lease_that_is_not_named_is_lost_unless_it_is_young() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    now += 100;
    scheduler.onSignOfLife(now, id("a"), List.of(), out);
    assertState(TaskState.RUNNING, 1, 0);
    now += LEASE_MILLIS / 2;
    scheduler.onSignOfLife(now, id("a"), List.of(), out);
    assertState(TaskState.READY, 1, 0);
    finish("a", lease, AttemptOutcome.SUCCEEDED);
    out.assertConfirmed(lease, false);
  }

  @Test
  void late_commit_is_refused_and_the_new_one_counts() {
    submit(header(1, 1));
    connect("a", 1);
    Lease old = leaseFor("a");
    scheduler.onDisconnect(now, id("a"), out);
    pass(LEASE_MILLIS + 1);
    connect("b", 1);
    Lease current = leaseFor("b");
    finish("a", old, AttemptOutcome.SUCCEEDED);
    out.assertConfirmed(old, false);
    assertState(TaskState.RUNNING, 1, 0);
    finishes("b", current, AttemptOutcome.SUCCEEDED);
    assertState(TaskState.DONE, 1, 0);
  }

  @Test
  void an_agent_that_comes_back_keeps_what_nobody_else_was_given() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    scheduler.onDisconnect(now, id("a"), out);
    pass(LEASE_MILLIS + 1);
    assertState(TaskState.READY, 1, 0);
    out.takeAll();
    scheduler.onHello(now, agent("a", 1, 1, List.of(lease)), out);
    assertState(TaskState.RUNNING, 1, 0);
    connect("b", 1);
    dispatch();
    assertThat(scheduler.onSignOfLife(now, id("a"), List.of(lease), out)).isEmpty();
    out.takeAll();
    finish("a", lease, AttemptOutcome.SUCCEEDED);
    out.assertConfirmed(lease, true);
    assertState(TaskState.DONE, 1, 0);
    assertThat(out.takeChanges(AttemptEnded.class).getLast().losses()).isZero();
  }

  @Test
  void an_attempt_that_goes_on_after_silence_is_not_counted_a_second_time() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    for (int silence = 0; silence < 3; silence++) {
      pass(LEASE_MILLIS + 1);
      scheduler.onSignOfLife(now, id("a"), List.of(lease), out);
    }
    assertThat(out.takeChanges(AttemptStarted.class))
        .extracting(AttemptStarted::attempt)
        .containsOnly(1)
        .hasSize(4);
    assertThat(scheduler.view().tries(lease.task())).isZero();
    out.takeAll();
  }

  @Test
  void a_session_that_was_only_silent_keeps_it_too() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    pass(LEASE_MILLIS + 1);
    assertState(TaskState.READY, 1, 0);
    assertThat(scheduler.onSignOfLife(now, id("a"), List.of(lease), out)).isEmpty();
    assertState(TaskState.RUNNING, 1, 0);
    out.takeAll();
  }

  @Test
  void what_was_cancelled_meanwhile_does_not_go_on_when_it_is_released() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    scheduler.onDisconnect(now, id("a"), out);
    pass(LEASE_MILLIS + 1);
    scheduler.onCancel(now, job(1), 0, 1, out);
    scheduler.onRelease(now, job(1), 0, 1, out);
    assertState(TaskState.READY, 1, 0);
    out.takeAll();
    scheduler.onHello(now, agent("a", 1, 1, List.of(lease)), out);
    assertState(TaskState.READY, 1, 0);
    out.takeAll();
    assertThat(leaseFor("a")).isNotEqualTo(lease);
  }

  @Test
  void an_agent_that_comes_back_does_not_go_over_the_limit_of_a_stage() {
    TaskRules one = stage(3).rules().with(draft -> draft.atMost = 1);
    submit(staged(1, ruled(stage(3), one)));
    connect("a", 1);
    Lease lease = leaseFor("a");
    pass(LEASE_MILLIS + 1);
    connect("b", 1);
    Lease other = leaseFor("b");
    assertThat(other.task()).isNotEqualTo(lease.task());
    assertThat(scheduler.onSignOfLife(now, id("a"), List.of(lease), out)).containsExactly(lease);
    assertThat(count(1, TaskState.RUNNING)).isEqualTo(1);
    finishes("b", other, AttemptOutcome.SUCCEEDED);
    out.takeAll();
  }

  @Test
  void room_of_an_attempt_that_goes_on_is_given_to_no_other_task() {
    TaskRules one = stage(3).rules().with(draft -> draft.atMost = 1);
    submit(staged(1, ruled(stage(3), one)));
    connect("a", 1);
    Lease lease = leaseFor("a");
    pass(LEASE_MILLIS + 1);
    scheduler.onBlock(now, job(1), 1, 3, out); // so that there is room for the lost one
    scheduler.onRelease(now, job(1), 1, 3, out);
    assertThat(scheduler.onSignOfLife(now, id("a"), List.of(lease), out)).isEmpty();
    connect("b", 1);
    dispatch();
    assertThat(out.takeAssigned()).isEmpty();
    out.takeAll();
  }

  @Test
  void a_result_that_comes_before_the_sign_of_life_counts() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    pass(LEASE_MILLIS + 1);
    assertState(TaskState.READY, 1, 0);
    out.takeAll();
    finishes("a", lease, AttemptOutcome.SUCCEEDED);
    assertState(TaskState.DONE, 1, 0);
    finishes("a", lease, AttemptOutcome.SUCCEEDED);
    assertThat(out.takeChanges(AttemptEnded.class))
        .extracting(ended -> ended.report().outcome())
        .containsExactly(AttemptOutcome.LOST, AttemptOutcome.SUCCEEDED);
    out.takeAll();
  }

  @Test
  void a_lease_whose_consequences_were_drawn_is_not_kept() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    pass(LEASE_MILLIS + 1);
    scheduler.forgetLost(lease);
    assertThat(scheduler.onSignOfLife(now, id("a"), List.of(lease), out)).containsExactly(lease);
    assertState(TaskState.READY, 1, 0);
    out.takeAll();
    finish("a", lease, AttemptOutcome.SUCCEEDED);
    out.assertConfirmed(lease, false);
  }

  @Test
  void an_attempt_that_another_one_followed_is_not_kept() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    scheduler.onDisconnect(now, id("a"), out);
    pass(LEASE_MILLIS + 1);
    connect("b", 1);
    Lease second = leaseFor("b");
    finish("b", second, AttemptOutcome.FAILED);
    assertState(TaskState.READY, 1, 0);
    out.takeAll();
    scheduler.onHello(now, agent("a", 1, 1, List.of(lease)), out);
    assertState(TaskState.READY, 1, 0);
    out.takeAll();
  }

  @Test
  void nobody_elses_lease_is_kept() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    scheduler.onDisconnect(now, id("a"), out);
    pass(LEASE_MILLIS + 1);
    scheduler.onHello(now, agent("b", 1, 1, List.of(lease)), out);
    assertState(TaskState.READY, 1, 0);
    out.takeAll();
  }

  @Test
  void report_that_comes_again_is_accepted_again_and_counts_once() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    finishes("a", lease, AttemptOutcome.SUCCEEDED);
    out.takeChanges();
    finishes("a", lease, AttemptOutcome.SUCCEEDED);
    assertThat(out.takeChanges()).isEmpty();
    assertThat(count(1, TaskState.DONE)).isEqualTo(1);
  }

  @Test
  void report_of_another_agent_is_refused() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    finish("b", lease, AttemptOutcome.SUCCEEDED);
    out.assertConfirmed(lease, false);
    assertState(TaskState.RUNNING, 1, 0);
  }

  @Test
  void agent_that_comes_back_in_time_keeps_its_tasks() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    scheduler.onDisconnect(now, id("a"), out);
    pass(LEASE_MILLIS / 2);
    scheduler.onHello(now, agent("a", 1, 1, List.of(lease)), out);
    pass(LEASE_MILLIS / 2 + 1);
    finishes("a", lease, AttemptOutcome.SUCCEEDED);
    assertState(TaskState.DONE, 1, 0);
  }

  @Test
  void new_incarnation_loses_what_it_does_not_name() {
    submit(header(1, 2));
    connect("a", 2);
    dispatch();
    List<Lease> leases = out.takeAssigned().stream().map(RecordingOutbox.Assigned::lease).toList();
    scheduler.onHello(now, agent("a", 2, 2, List.of(leases.get(1))), out);
    assertState(TaskState.READY, 1, 0);
    assertState(TaskState.RUNNING, 1, 1);
  }

  @Test
  void hello_with_a_lease_that_is_void_is_told_to_stop_it() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    pass(LEASE_MILLIS + 1);
    connect("b", 1);
    leaseFor("b");
    scheduler.onHello(now, agent("a", 1, 1, List.of(lease)), out);
    out.assertStopped(lease, "the lease is no longer valid");
  }

  @Test
  void silent_agent_gets_nothing_until_it_is_heard_again() {
    connect("a", 1);
    pass(LEASE_MILLIS + 1);
    submit(header(1, 1));
    dispatch();
    out.assertNothingLeft();
    scheduler.onSignOfLife(now, id("a"), List.of(), out);
    leaseFor("a");
  }

  @Test
  void sign_of_life_of_an_unknown_agent_has_everything_refused() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    assertThat(scheduler.onSignOfLife(now, id("x"), List.of(lease), out)).containsExactly(lease);
    assertThat(scheduler.onSignOfLife(now, id("a"), List.of(lease), out)).isEmpty();
  }

  @Test
  void attempt_is_told_as_changes() {
    submit(header(1, 1));
    connect("a", 1);
    assertThat(out.takeChanges()).hasOnlyElementsOfType(NodeSeen.class);
    Lease lease = leaseFor("a");
    assertThat(out.takeChanges())
        .containsExactly(
            new AttemptStarted(
                lease.task(), lease.token(), id("a"), agent("a", 1, 1, List.of()).node(), 1, now));
    finishes("a", lease, AttemptOutcome.FAILED);
    assertThat(out.takeChanges(AttemptEnded.class))
        .containsExactly(
            new AttemptEnded(
                lease.task(),
                lease.token(),
                report(AttemptOutcome.FAILED, 10_000),
                TaskState.READY,
                1,
                0,
                now));
  }

  @Test
  void lost_task_returns_after_the_delay_only() {
    scheduler =
        scheduler(
            SchedulerSettings.defaults().withLostReturnDelayMillis(20_000), scheduler.strategy());
    submit(header(1, 1));
    connect("a", 1);
    leaseFor("a");
    connect("a", 1);
    assertState(TaskState.RUNNING, 1, 0);
    assertThat(scheduler.profiles().project(0).working()).isEqualTo(1);
    assertThat(scheduler.profiles().node(0).failures()).isEqualTo(1);
    scheduler.checkInvariants();
    pass(19_999);
    dispatch();
    assertState(TaskState.RUNNING, 1, 0);
    pass(1);
    assertState(TaskState.READY, 1, 0);
    leaseFor("a");
  }

  @Test
  void lost_task_can_be_cancelled_before_it_returns() {
    scheduler =
        scheduler(
            SchedulerSettings.defaults().withLostReturnDelayMillis(20_000), scheduler.strategy());
    submit(header(1, 1));
    connect("a", 1);
    leaseFor("a");
    connect("a", 1);
    assertThat(scheduler.onCancel(now, job(1), 0, 1, out)).isEqualTo(1);
    scheduler.checkInvariants();
    pass(25_000);
    assertState(TaskState.CANCELLED, 1, 0);
  }

  @Test
  void silence_while_the_server_stood_still_is_nobody_s() {
    submit(unlimited());
    connect("a", 1);
    Lease lease = leaseFor("a");
    for (int pause = 0; pause < 2 * SchedulerSettings.defaults().maxLosses(); pause++) {
      now += 10 * LEASE_MILLIS;
      scheduler.onStoodStill(now, 10 * LEASE_MILLIS);
      scheduler.onTick(now, out); // its sign of life is not read yet
      assertState(TaskState.RUNNING, 1, 0);
      now += LEASE_MILLIS / 2;
      scheduler.onSignOfLife(now, id("a"), List.of(lease), out);
      scheduler.onTick(now, out);
    }
    finishes("a", lease, AttemptOutcome.SUCCEEDED);
    assertState(TaskState.DONE, 1, 0);
  }

  @Test
  void lease_lost_after_a_standstill_counts_neither_for_the_task_nor_for_the_node() {
    submit(unlimited());
    for (int pause = 0; pause <= SchedulerSettings.defaults().maxLosses(); pause++) {
      connect("a", 1);
      Lease lease = leaseFor("a");
      now += 10 * LEASE_MILLIS;
      scheduler.onStoodStill(now, 10 * LEASE_MILLIS);
      pass(LEASE_MILLIS + 1);
      assertState(TaskState.READY, 1, 0);
      scheduler.forgetLost(lease);
      finish("a", lease, AttemptOutcome.SUCCEEDED);
      out.assertConfirmed(lease, false);
    }
    assertThat(scheduler.profiles().node(new NodeId("node-a")).faults()).isZero();
  }

  @Test
  void lease_that_was_lost_after_a_standstill_can_be_kept_by_who_comes_back_with_it() {
    submit(unlimited());
    connect("a", 1);
    Lease lease = leaseFor("a");
    now += 10 * LEASE_MILLIS;
    scheduler.onStoodStill(now, 10 * LEASE_MILLIS);
    pass(LEASE_MILLIS + 1);
    assertState(TaskState.READY, 1, 0);
    scheduler.onHello(now, agent("a", 1, 1, List.of(lease)), out);
    assertState(TaskState.RUNNING, 1, 0);
    scheduler.checkInvariants();
    finishes("a", lease, AttemptOutcome.SUCCEEDED);
    assertState(TaskState.DONE, 1, 0);
  }

  @Test
  void agent_that_is_heard_right_after_a_standstill_has_a_usual_lease() {
    submit(unlimited());
    connect("a", 1);
    Lease lease = leaseFor("a");
    now += 100 * LEASE_MILLIS;
    scheduler.onStoodStill(now, 100 * LEASE_MILLIS);
    scheduler.onSignOfLife(now, id("a"), List.of(lease), out);
    pass(LEASE_MILLIS + 1);
    assertState(TaskState.READY, 1, 0);
  }

  private static JobHeader unlimited() {
    StageHeader only = stage(1);
    return staged(1, only.withRules(only.rules().withLimits(3, 0)));
  }
}
