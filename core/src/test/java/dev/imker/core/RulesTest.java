package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.Dependency;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.message.StageHeader;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.strategy.catalogue.Balanced;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.JobPhased;
import dev.imker.model.change.SettingPut;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.TaskLimits;
import dev.imker.model.job.TaskRules;
import dev.imker.testbase.Attack;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pauses, quotas, places, equal results, limits that change, and what follows a failure. */
class RulesTest extends SchedulerFixture {
  @Test
  void pause_before_another_attempt_doubles() {
    submit(ruled(rules().withBackoff(1_000)));
    connect("a", 1);
    finishes("a", leaseFor("a"), AttemptOutcome.FAILED);
    assertState(TaskState.WAITING, 1, 0);
    passHeard(999);
    assertState(TaskState.WAITING, 1, 0);
    passHeard(1);
    assertState(TaskState.READY, 1, 0);
    finishes("a", leaseFor("a"), AttemptOutcome.FAILED);
    passHeard(1_999);
    assertState(TaskState.WAITING, 1, 0);
    passHeard(1);
    assertState(TaskState.READY, 1, 0);
  }

  @Test
  void pausing_task_that_is_cancelled_and_released_needs_no_further_pause() {
    submit(ruled(rules().withBackoff(1_000)));
    connect("a", 1);
    finishes("a", leaseFor("a"), AttemptOutcome.FAILED);
    scheduler.onCancel(now, job(1), 0, 1, out);
    scheduler.onRelease(now, job(1), 0, 1, out);
    assertState(TaskState.READY, 1, 0);
    passHeard(5_000);
    assertState(TaskState.READY, 1, 0);
  }

  @Test
  void user_has_no_more_running_than_the_quota() {
    submit(header(1, 5));
    scheduler.onQuota("ada", 2);
    connect("a", 5);
    dispatch();
    List<Lease> leases = leases();
    assertThat(leases).hasSize(2);
    finishes("a", leases.getFirst(), AttemptOutcome.SUCCEEDED);
    dispatch();
    assertThat(leases()).hasSize(1);
    scheduler.onQuota("ada", 4);
    dispatch();
    assertThat(leases()).hasSize(2);
    assertThat(scheduler.view().running("ada")).isEqualTo(4);
  }

  @Test
  void stage_has_no_more_running_than_it_says() {
    submit(staged(1, ruled(stage(9), rules().with(draft -> draft.atMost = 2))));
    submit(header(2, 3));
    connect("a", 4);
    dispatch();
    List<Lease> leases = leases();
    assertThat(leases)
        .extracting(lease -> lease.task().job().value())
        .containsExactly(1L, 1L, 2L, 2L);
    finishes("a", leases.getFirst(), AttemptOutcome.SUCCEEDED);
    // It was the first job's turn before the second's, and still is.
    assertThat(leaseFor("a").task()).isEqualTo(TaskId.of(1, 2));
    finishes("a", leases.get(2), AttemptOutcome.SUCCEEDED);
    assertThat(leaseFor("a").task()).isEqualTo(TaskId.of(2, 2));
    finishes("a", leases.get(3), AttemptOutcome.SUCCEEDED);
    dispatch();
    assertThat(leases()).isEmpty();
    StageHeader wider = ruled(stage(9), rules().with(draft -> draft.atMost = 3));
    scheduler.onLimits(now, job(1), List.of(wider), out);
    assertThat(leaseFor("a").task()).isEqualTo(TaskId.of(1, 3));
    scheduler.onCancel(now, job(1), 0, 9, out);
    assertThat(count(1, TaskState.CANCELLED)).isEqualTo(8);
    out.takeAll();
  }

  @Test
  void stage_with_a_start_time_begins_then_and_not_before() {
    long start = now + 10_000;
    submit(staged(1, ruled(stage(3), rules().with(draft -> draft.startMillis = start))));
    connect("a", 2);
    dispatch();
    assertThat(leases()).isEmpty();
    assertThat(count(1, TaskState.READY)).isEqualTo(3);
    passHeard(9_999);
    dispatch();
    assertThat(leases()).isEmpty();
    passHeard(1);
    dispatch();
    assertThat(leases()).hasSize(2);
    out.takeAll();
  }

  @Test
  void task_that_could_not_be_delivered_waits_before_it_is_handed_out_again() {
    submit(header(1, 1));
    connect("a", 1);
    dispatch();
    scheduler.onUndeliverable(now, id("a"), leases().getFirst(), "database away", false, out);
    dispatch();
    assertThat(leases()).isEmpty();
    assertThat(count(1, TaskState.WAITING)).isEqualTo(1);
    passHeard(10_000);
    dispatch();
    assertThat(leases()).hasSize(1);
    out.takeAll();
  }

  @Test
  void program_that_no_node_has_is_not_tried_again() {
    submit(ruled(rules()));
    connect("a", 1);
    connect("b", 1);
    for (int nodes = 1; nodes <= 2; nodes++) {
      dispatch();
      cannotStart(out.takeAssigned().getFirst());
      assertState(nodes == 1 ? TaskState.READY : TaskState.FAILED, 1, 0);
    }
  }

  private void cannotStart(RecordingOutbox.Assigned assigned) {
    AttemptReport missing =
        new AttemptReport(
            AttemptOutcome.FAILED,
            AttemptReport.NOT_FOUND,
            0,
            now,
            0,
            0,
            CapturedOutput.NONE,
            CapturedOutput.NONE,
            List.of(),
            "There is no program.");
    scheduler.onFinished(now, assigned.agent(), assigned.lease(), missing, out);
    out.assertConfirmed(assigned.lease(), true);
  }

  @Test
  void program_that_one_node_lacks_waits_for_a_node_that_is_only_away() {
    connect("b", 1);
    connect("a", 1);
    submit(ruled(rules()));
    scheduler.onPause(now, id("b"), "its owner is back", out);
    dispatch();
    cannotStart(out.takeAssigned().getFirst());
    assertState(TaskState.READY, 1, 0);
    dispatch();
    assertThat(out.takeAssigned()).isEmpty();
    scheduler.onPause(now, id("b"), "", out);
    Lease lease = leaseFor("b");
    assertThat(lease.task()).isEqualTo(TaskId.of(1, 0));
    finishes("b", lease, AttemptOutcome.SUCCEEDED);
    assertState(TaskState.DONE, 1, 0);
  }

  @Test
  void program_that_one_node_lacks_is_not_waited_for_without_end() {
    connect("b", 1);
    connect("a", 1);
    submit(ruled(rules()));
    scheduler.onDisconnect(now, id("b"), out);
    dispatch();
    cannotStart(out.takeAssigned().getFirst());
    assertState(TaskState.READY, 1, 0);
    for (int minute = 0; minute < 4; minute++) {
      now += 60_000;
      scheduler.onSignOfLife(now, id("a"), List.of(), out);
      scheduler.onTick(now, out);
    }
    dispatch();
    cannotStart(out.takeAssigned().getFirst());
    assertState(TaskState.FAILED, 1, 0);
  }

  @Test
  void pinned_task_waits_for_its_node_and_a_new_pin_lets_it_go_elsewhere() {
    submit(ruled(rules().withPin("b")));
    connect("a", 1);
    dispatch();
    out.assertNothingLeft();
    scheduler.onLimits(now, job(1), List.of(ruledStage(rules().withPin("a"))), out);
    assertThat(leaseFor("a").task()).isEqualTo(TaskId.of(1, 0));
  }

  @Test
  void trusted_work_goes_to_trusted_agents_only() {
    submit(ruled(rules().withTrust(2)));
    connect("a", 1);
    scheduler.onHello(now, agent("b", 1, 1, List.of()).withTrust(2), out);
    assertThat(leaseFor("b").task()).isEqualTo(TaskId.of(1, 0));
  }

  @Test
  void shorter_limit_stops_what_runs_already() {
    submit(ruled(rules()));
    connect("a", 1);
    Lease lease = leaseFor("a");
    scheduler.onLimits(now, job(1), List.of(ruledStage(rules().withLimits(1, 5_000))), out);
    now += 5_000;
    scheduler.onSignOfLife(now, id("a"), List.of(lease), out);
    scheduler.onTick(now, out);
    out.assertStopped(lease, "exceeded its time limit");
    finishes("a", lease, AttemptOutcome.STOPPED);
    assertState(TaskState.FAILED, 1, 0);
  }

  @Test
  void single_task_overtakes_the_others_of_its_job() {
    submit(header(1, 5));
    scheduler.onTaskLimits(now, job(1), List.of(own(3, 4).priority(9)), out);
    connect("a", 1);
    Lease first = leaseFor("a");
    assertThat(first.task()).isEqualTo(TaskId.of(1, 3));
    finishes("a", first, AttemptOutcome.SUCCEEDED);
    assertThat(leaseFor("a").task()).isEqualTo(TaskId.of(1, 0));
  }

  @Test
  void single_task_is_pinned_and_let_go_again() {
    submit(header(1, 2));
    scheduler.onTaskLimits(now, job(1), List.of(own(0, 1).pin("b")), out);
    connect("a", 2);
    assertThat(leaseFor("a").task()).isEqualTo(TaskId.of(1, 1));
    dispatch();
    out.assertNothingLeft();
    scheduler.onTaskLimits(now, job(1), List.of(), out);
    assertThat(leaseFor("a").task()).isEqualTo(TaskId.of(1, 0));
  }

  @Test
  void limits_of_a_single_task_hold_for_it_alone() {
    submit(header(1, 2));
    connect("a", 2);
    dispatch();
    List<Lease> leases = leases();
    scheduler.onTaskLimits(now, job(1), List.of(own(0, 1).time(5_000), own(1, 2).failures(1)), out);
    finishes("a", leases.get(1), AttemptOutcome.FAILED);
    assertState(TaskState.AUTO_BLOCKED, 1, 1);
    now += 5_000;
    scheduler.onSignOfLife(now, id("a"), List.of(leases.get(0)), out);
    scheduler.onTick(now, out);
    out.assertStopped(leases.get(0), "exceeded its time limit");
    finishes("a", leases.get(0), AttemptOutcome.STOPPED);
    assertState(TaskState.FAILED, 1, 0);
  }

  /** Limits of the tasks from..to, one at a time. */
  private record Own(int from, int toExclusive) {
    TaskLimits priority(int value) {
      return new TaskLimits(from, toExclusive, value, null, null, null);
    }

    TaskLimits failures(int value) {
      return new TaskLimits(from, toExclusive, null, value, null, null);
    }

    TaskLimits time(long value) {
      return new TaskLimits(from, toExclusive, null, null, value, null);
    }

    TaskLimits pin(String value) {
      return new TaskLimits(from, toExclusive, null, null, null, value);
    }
  }

  private static Own own(int from, int toExclusive) {
    return new Own(from, toExclusive);
  }

  @Test
  void results_from_before_a_release_do_not_keep_the_nodes_from_their_votes() {
    JobHeader job = ruled(rules().withQuorum(2));
    TaskId task = TaskId.of(1, 0);
    scheduler.recovery().job(job);
    scheduler.recovery().task(task, TaskState.READY, 0, 0, 2);
    // One of them came before somebody held the task back and released it.
    AttemptReport report = report(AttemptOutcome.SUCCEEDED, 10);
    scheduler.recovery().vote(task, new NodeId("node-a"), report);
    scheduler.recovery().vote(task, new NodeId("node-b"), report);
    scheduler.recovery().complete(now);
    connect("a", 1);
    connect("b", 1);
    finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
    assertState(TaskState.DONE, 1, 0);
    out.takeAll();
  }

  @Test
  void result_counts_when_enough_nodes_came_to_the_same() {
    submit(ruled(rules().withQuorum(2)));
    connect("a", 1);
    succeeds("a", leaseFor("a"), "x");
    assertState(TaskState.READY, 1, 0);
    dispatch();
    out.assertNothingLeft();
    connect("b", 1);
    succeeds("b", leaseFor("b"), "y");
    assertState(TaskState.READY, 1, 0);
    connect("c", 1);
    succeeds("c", leaseFor("c"), "x");
    assertState(TaskState.DONE, 1, 0);
    // The one that came to something else is to blame.
    assertThat(List.of(0, 1, 2))
        .extracting(node -> scheduler.profiles().node(node).faults())
        .containsExactly(0, 1, 0);
  }

  private List<String> assigned() {
    dispatch();
    return out.takeAssigned().stream()
        .map(one -> one.agent().value() + " " + one.lease().task())
        .sorted()
        .toList();
  }

  @Test
  void votes_of_one_task_run_at_the_same_time_where_nodes_are_free() {
    submit(ruled(rules().withQuorum(3).withSpeculative(false)));
    List.of("a", "b", "c", "d").forEach(node -> connect(node, 2));
    dispatch();
    List<RecordingOutbox.Assigned> votes = out.takeAssigned();
    assertThat(votes).extracting(one -> one.agent().value()).doesNotHaveDuplicates().hasSize(3);
    assertThat(votes).extracting(one -> one.lease().task()).containsOnly(TaskId.of(1, 0));
    assertThat(assigned()).as("more than are needed").isEmpty();
    // One that came to something else, or to nothing, is made up for at once.
    finish(votes.get(0).agent().value(), votes.get(0).lease(), AttemptOutcome.FAILED);
    dispatch();
    RecordingOutbox.Assigned fourth = out.takeAssigned().getFirst();
    succeeds(votes.get(1).agent().value(), votes.get(1).lease(), "x");
    succeeds(votes.get(2).agent().value(), votes.get(2).lease(), "x");
    assertState(TaskState.RUNNING, 1, 0);
    succeeds(fourth.agent().value(), fourth.lease(), "x");
    assertState(TaskState.DONE, 1, 0);
    out.takeAll();
  }

  @Test
  void votes_run_at_the_same_time_only_within_the_limits_of_stage_and_user() {
    submit(staged(1, ruled(stage(1), rules().withQuorum(2).with(draft -> draft.atMost = 1))));
    submit(staged(2, ruled(stage(1), rules().withQuorum(2))));
    scheduler.onQuota("ada", 2);
    connect("a", 2);
    connect("b", 2);
    connect("c", 2);
    assertThat(assigned()).hasSize(2);
    scheduler.onQuota("ada", 9);
    assertThat(assigned()).singleElement().asString().endsWith("2.1");
    out.takeAll();
  }

  @Test
  void node_that_has_voted_on_the_first_task_in_line_gets_the_next() {
    submit(staged(1, ruled(stage(2), rules().withQuorum(2))));
    connect("a", 1);
    connect("b", 1);
    dispatch();
    List<RecordingOutbox.Assigned> votes = out.takeAssigned();
    votes.forEach(one -> succeeds(one.agent().value(), one.lease(), "x"));
    assertThat(count(1, TaskState.READY)).isEqualTo(2);
    assertThat(assigned())
        .containsExactly("a " + votes.get(1).lease().task(), "b " + votes.get(0).lease().task());
    out.takeAll();
  }

  @Test
  void tasks_that_wait_for_the_votes_of_other_nodes_hold_up_none_of_their_project() {
    for (int voted : new int[] {1, 9}) {
      JobHeader agreed = ruled(rules().withQuorum(2));
      long number = 10L * voted;
      submit(
          new JobHeader(job(number), agreed.project(), voted, agreed.stages(), agreed.onFailure()));
      connect("a", 1);
      pass(1);
      succeeds("a", leaseFor("a"), "x");
      submit(header(number + 1, 40));
      for (int i = 0; i < 40; i++) {
        pass(1);
        dispatch();
        out.takeAssigned().forEach(assigned -> succeeds("a", assigned.lease(), "x"));
      }
      assertThat(count(number + 1, TaskState.DONE)).isEqualTo(40);
      assertState(TaskState.READY, number, 0);
      out.takeAll();
    }
  }

  @Test
  void adaptive_quorum_asks_the_more_rarely_the_more_often_a_node_was_confirmed() {
    NodeProfile node = scheduler.profiles().node(new NodeId("n"));
    assertThat(node.checkRate()).isEqualTo(1);
    for (int i = 0; i < 20; i++) {
      node.onConfirmed();
    }
    assertThat(node.checkRate()).isEqualTo(0.5);
    for (int i = 0; i < 10_000; i++) {
      node.onConfirmed();
    }
    assertThat(node.checkRate()).isEqualTo(0.01);
    node.onOutvoted();
    assertThat(node.checkRate()).isEqualTo(1);
  }

  @Test
  void adaptive_quorum_compares_the_results_of_newcomers() {
    submit(ruled(rules().withQuorum(TaskRules.ADAPTIVE)));
    connect("a", 1);
    connect("b", 1);
    connect("c", 1);
    dispatch();
    out.takeAssigned()
        .forEach(assigned -> succeeds(assigned.agent().value(), assigned.lease(), "x"));
    assertState(TaskState.READY, 1, 0);
    dispatch();
    out.takeAssigned()
        .forEach(assigned -> succeeds(assigned.agent().value(), assigned.lease(), "y"));
    assertState(TaskState.READY, 1, 0);
    dispatch();
    out.takeAssigned()
        .forEach(assigned -> succeeds(assigned.agent().value(), assigned.lease(), "x"));
    assertState(TaskState.DONE, 1, 0);
    assertThat(out.takeChanges(SettingPut.class)).hasSize(1);
  }

  @Test
  void adaptive_quorum_asks_nobody_where_there_is_nobody_else() {
    submit(ruled(rules().withQuorum(TaskRules.ADAPTIVE)));
    connect("a", 1);
    succeeds("a", leaseFor("a"), "x");
    assertState(TaskState.DONE, 1, 0);
  }

  /** A task that a node got which was caught, and that another one could have got. */
  private NodeProfile suspectReturns(TaskRules rules, String result) {
    connect("a", 1);
    NodeProfile liar = scheduler.profiles().node(new NodeId("node-a"));
    liar.onOutvoted();
    submit(ruled(rules));
    Lease lease = leaseFor("a");
    connect("b", 1);
    succeeds("a", lease, result);
    return liar;
  }

  @Test
  @Attack("continue to return false results after being caught, where jobs ask for one result only")
  void node_that_was_caught_is_not_believed_alone() {
    NodeProfile liar = suspectReturns(rules().withSpeculative(true), "lie");
    assertState(TaskState.READY, 1, 0);
    succeeds("b", leaseFor("b"), "truth");
    assertState(TaskState.DONE, 1, 0);
    assertThat(out.takeChanges(AttemptEnded.class).getLast().report().stdout().inline())
        .asString()
        .isEqualTo("truth");
    assertThat(liar.faults()).as("tasks need not come to the same every time").isZero();
  }

  @Test
  void node_that_was_caught_is_believed_again_when_others_have_confirmed_it_often() {
    NodeProfile liar = suspectReturns(rules().withSpeculative(true), "truth");
    assertState(TaskState.READY, 1, 0);
    int before = liar.confirmed();
    succeeds("b", leaseFor("b"), "truth");
    assertState(TaskState.DONE, 1, 0);
    assertThat(liar.confirmed()).isEqualTo(before + 1);
    while (liar.confirmed() < 0) {
      assertThat(liar.isSuspect()).isTrue();
      liar.onConfirmed();
    }
    assertThat(liar.isSuspect()).isFalse();
    out.takeAll();
  }

  @Test
  void node_that_was_caught_is_believed_where_a_task_must_not_run_twice() {
    suspectReturns(rules().withSpeculative(false), "lie");
    assertState(TaskState.DONE, 1, 0);
    out.takeAll();
  }

  @Test
  void doubted_result_is_made_again_on_another_node() {
    submit(ruled(rules().withSpeculative(true)));
    connect("a", 1);
    succeeds("a", leaseFor("a"), "x");
    TaskId task = TaskId.of(1, 0);
    NodeId liar = new NodeId("node-a");
    assertThat(scheduler.onDoubt(now, task, liar, "why", out)).as("nobody else could").isFalse();
    connect("b", 1);
    assertThat(scheduler.onDoubt(now, task, liar, "why", out)).isTrue();
    assertThat(scheduler.onDoubt(now, task, liar, "why", out)).as("twice").isFalse();
    assertState(TaskState.READY, 1, 0);
    succeeds("b", leaseFor("b"), "y");
    assertState(TaskState.DONE, 1, 0);
    assertThat(scheduler.profiles().node(liar).faults()).isZero();
    out.takeAll();
  }

  @Test
  void task_whose_results_never_agree_is_held_back_in_words() {
    submit(ruled(rules().withQuorum(2)));
    for (String node : List.of("a", "b", "c", "d", "e")) {
      connect(node, 1);
      succeeds(node, leaseFor(node), node);
    }
    assertState(TaskState.AUTO_BLOCKED, 1, 0);
    assertThat(out.takeChanges(AttemptEnded.class).getLast().report().error())
        .isEqualTo("5 nodes returned results, no 2 of them equal");
  }

  @Test
  void failure_aborts_the_rest_of_the_job() {
    submit(onFailure(OnFailure.Way.ABORT, 0, stage(1), stage(3, new Dependency.All(0))));
    submit(header(2, 1));
    connect("a", 1);
    fail("a", leaseFor("a"));
    assertThat(count(1, TaskState.FAILED)).isPositive();
    assertThat(scheduler.view().phase(job(1)).shown()).isEqualTo("ABORTED");
    assertThat(count(1, TaskState.WAITING) + count(1, TaskState.READY)).isZero();
    assertState(TaskState.READY, 2, 0);
  }

  @Test
  void failure_restarts_the_job_a_limited_number_of_times() {
    submit(onFailure(OnFailure.Way.RESTART, 2, stage(1), stage(1, new Dependency.All(0))));
    connect("a", 1);
    for (int restart = 1; restart <= 2; restart++) {
      finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
      fail("a", leaseFor("a"));
      assertState(TaskState.READY, 1, 0);
      assertState(TaskState.WAITING, 1, 1);
      assertThat(scheduler.view().phase(job(1)).shown()).isEqualTo("RESTARTED " + restart);
    }
    finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
    fail("a", leaseFor("a"));
    assertState(TaskState.FAILED, 1, 1);
  }

  @Test
  void failure_undoes_what_was_done_in_reverse_order() {
    submit(
        onFailure(
            OnFailure.Way.ROLLBACK,
            0,
            stage(2),
            stage(1, new Dependency.All(0)),
            stage(1, new Dependency.All(1))));
    connect("a", 2);
    dispatch();
    List<Lease> first = leases();
    finishes("a", first.get(1), AttemptOutcome.SUCCEEDED);
    finishes("a", first.get(0), AttemptOutcome.SUCCEEDED);
    finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
    out.takeChanges();
    fail("a", leaseFor("a"));
    assertThat(scheduler.view().isUndoing(job(1))).isTrue();
    for (int index : new int[] {2, 0, 1}) {
      Lease undo = leaseFor("a");
      assertThat(undo.task().index()).isEqualTo(index);
      finishes("a", undo, AttemptOutcome.SUCCEEDED);
    }
    assertThat(count(1, TaskState.CANCELLED)).isEqualTo(3);
    assertState(TaskState.FAILED, 1, 3);
    assertThat(out.takeChanges(JobPhased.class))
        .extracting(JobPhased::phase)
        .containsExactly("ROLLING_BACK 3", "ROLLING_BACK 1", "ROLLING_BACK 2", "ROLLED_BACK");
  }

  @Test
  void undo_that_fails_too_often_ends_the_way_back_until_it_is_released() {
    submit(onFailure(OnFailure.Way.ROLLBACK, 0, stage(1), stage(1, new Dependency.All(0))));
    connect("a", 1);
    finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
    fail("a", leaseFor("a"));
    for (int i = 0; i < 3; i++) {
      finishes("a", leaseFor("a"), AttemptOutcome.FAILED);
    }
    assertThat(scheduler.view().phase(job(1)).shown()).isEqualTo("ROLLBACK_FAILED");
    scheduler.onRelease(now, job(1), 0, 1, out);
    finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
    assertThat(scheduler.view().phase(job(1)).shown()).isEqualTo("ROLLED_BACK");
  }

  @Test
  void what_was_done_before_a_restart_is_undone_in_reverse_order_of_completion() {
    keep(onFailure(OnFailure.Way.ROLLBACK, 0, stage(4)));
    connect("a", 4);
    dispatch();
    List<Lease> leases = leases();
    for (int index : new int[] {1, 2, 0}) { // at the same moment
      finishes("a", leases.get(index), AttemptOutcome.SUCCEEDED);
    }
    restart();
    scheduler.onHello(now, agent("a", 4, 1, List.of(leases.get(3))), out);
    fail("a", leases.get(3));
    for (int index : new int[] {0, 2, 1}) {
      restart();
      scheduler.onHello(now, agent("a", 4, 1, List.of()), out);
      Lease undo = leaseFor("a");
      assertThat(undo.task().index()).isEqualTo(index);
      finishes("a", undo, AttemptOutcome.SUCCEEDED);
    }
    assertThat(scheduler.view().phase(job(1)).shown()).isEqualTo("ROLLED_BACK");
  }

  @Test
  void undo_that_failed_before_a_restart_still_ends_the_way_back() {
    keep(onFailure(OnFailure.Way.ROLLBACK, 0, stage(3)));
    connect("a", 3);
    dispatch();
    List<Lease> leases = leases();
    finishes("a", leases.get(0), AttemptOutcome.SUCCEEDED);
    finishes("a", leases.get(1), AttemptOutcome.SUCCEEDED);
    fail("a", leases.get(2));
    for (int i = 0; i < 3; i++) {
      finishes("a", leaseFor("a"), AttemptOutcome.FAILED);
    }
    restart();
    scheduler.onHello(now, agent("a", 1, 1, List.of()), out);
    assertThat(scheduler.view().phase(job(1)).shown()).isEqualTo("ROLLBACK_FAILED");
    dispatch();
    out.assertNothingLeft();
    scheduler.onRelease(now, job(1), 0, 3, out);
    Lease again = leaseFor("a");
    assertThat(again.task().index()).isEqualTo(1);
    finishes("a", again, AttemptOutcome.FAILED);
    restart();
    scheduler.onHello(now, agent("a", 1, 1, List.of()), out);
    finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
    finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
    assertThat(scheduler.view().phase(job(1)).shown()).isEqualTo("ROLLED_BACK");
    assertState(TaskState.CANCELLED, 1, 0);
    assertState(TaskState.CANCELLED, 1, 1);
  }

  private final Ledger ledger = new Ledger();

  private void keep(JobHeader job) {
    ledger.add(job);
    submit(job);
  }

  /** Another server goes on with what was kept. */
  private void restart() {
    out.takeChanges().forEach(ledger::apply);
    scheduler = ledger.restart(SchedulerSettings.defaults(), new Balanced(), ++epoch, now);
  }

  private long epoch = 1;

  @Test
  void undo_is_tried_again_even_if_tasks_are_not() {
    StageHeader once = ruledStage(rules().withLimits(1, rules().maxRuntimeMillis()));
    submit(onFailure(OnFailure.Way.ROLLBACK, 0, once, stage(1, new Dependency.All(0))));
    connect("a", 1);
    finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
    fail("a", leaseFor("a"));
    finishes("a", leaseFor("a"), AttemptOutcome.FAILED);
    assertState(TaskState.READY, 1, 0);
    finishes("a", leaseFor("a"), AttemptOutcome.FAILED);
    finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
    assertThat(scheduler.view().phase(job(1)).shown()).isEqualTo("ROLLED_BACK");
  }

  @Test
  void task_whose_own_code_fails_on_every_node_is_not_their_fault() {
    submit(header(1, 1));
    connect("a", 1);
    connect("b", 1);
    for (int i = 0; i < 3; i++) {
      dispatch();
      RecordingOutbox.Assigned assigned = out.takeAssigned().getFirst();
      finishes(assigned.agent().value(), assigned.lease(), AttemptOutcome.FAILED);
      now += 5_000;
    }
    assertState(TaskState.AUTO_BLOCKED, 1, 0);
    for (String node : List.of("node-a", "node-b")) {
      NodeProfile profile = scheduler.profiles().node(new NodeId(node));
      assertThat(profile.reliability()).isEqualTo(1);
      assertThat(profile.reputation()).isEqualTo(profile.benchmarkClass());
    }
  }

  @Test
  void node_on_which_fails_what_others_can_do_is_at_fault() {
    submit(header(1, 1));
    connect("bad", 1);
    finishes("bad", leaseFor("bad"), AttemptOutcome.FAILED);
    connect("good", 1);
    finishes("good", leaseFor("good"), AttemptOutcome.SUCCEEDED);
    NodeProfile bad = scheduler.profiles().node(new NodeId("node-bad"));
    assertThat(bad.faults()).isEqualTo(1);
    assertThat(bad.reliability()).isZero();
    assertThat(bad.reputation()).isLessThan(bad.benchmarkClass());
    assertThat(scheduler.profiles().node(new NodeId("node-good")).reliability()).isEqualTo(1);
  }

  private static TaskRules rules() {
    return stage(1).rules();
  }

  private static StageHeader ruledStage(TaskRules rules) {
    return ruled(stage(1), rules);
  }

  private static JobHeader ruled(TaskRules rules) {
    return staged(1, ruledStage(rules));
  }

  private static JobHeader onFailure(OnFailure.Way way, int limit, StageHeader... stages) {
    JobHeader job = staged(1, stages);
    return new JobHeader(
        job.id(), job.project(), job.priority(), job.stages(), new OnFailure(way, limit));
  }

  private List<Lease> leases() {
    return out.takeAssigned().stream().map(RecordingOutbox.Assigned::lease).toList();
  }

  /** Time passes, and all agents are heard. */
  private void passHeard(long millis) {
    now += millis;
    scheduler.view().agents().forEach(a -> scheduler.onSignOfLife(now, a.agent(), List.of(), out));
    scheduler.onTick(now, out);
  }

  /** Fails for good. */
  private void fail(String agent, Lease lease) {
    scheduler.onUndeliverable(now, id(agent), lease, "hopeless", true, out);
  }

  private void succeeds(String agent, Lease lease, String stdout) {
    byte[] text = stdout.getBytes(StandardCharsets.UTF_8);
    AttemptReport report =
        new AttemptReport(
            AttemptOutcome.SUCCEEDED,
            0,
            now - 10,
            now,
            0,
            0,
            new CapturedOutput(text.length, text, null),
            CapturedOutput.NONE,
            List.of(),
            "");
    scheduler.onFinished(now, id(agent), lease, report, out);
    out.assertConfirmed(lease, true);
  }
}
