package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.AgentOffer;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.ProjectView;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.message.StageHeader;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.CopyChoice;
import dev.imker.core.strategy.Strategy;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DispatchTest extends SchedulerFixture {
  /** Takes the first project that may be served, and copies whatever it can. */
  private static final class Copying implements Strategy {
    boolean leaveFree;

    @Override
    public String name() {
      return "copying";
    }

    @Override
    public int choose(Choice choice) {
      return leaveFree ? NONE : 0;
    }

    @Override
    public int chooseCopy(CopyChoice choice) {
      return choice.candidates() == 0 ? NONE : 0;
    }
  }

  /** Copies only what nobody works on. */
  private static final class Deserted implements Strategy {
    @Override
    public String name() {
      return "deserted";
    }

    @Override
    public int choose(Choice choice) {
      return 0;
    }

    @Override
    public int chooseCopy(CopyChoice choice) {
      return choice.candidates() > 0 && choice.holders(0) == 0 ? 0 : NONE;
    }
  }

  @Test
  void free_slots_are_filled_one_agent_after_the_other() {
    submit(header(1, 3));
    connect("a", 2);
    connect("b", 2);
    dispatch();
    assertThat(out.takeAssigned())
        .extracting(a -> a.agent().value())
        .containsExactly("a", "b", "a");
  }

  @Test
  void projects_share_the_slots_under_balanced() {
    submit(header(1, "p", 100));
    submit(header(2, "q", 100));
    connect("a", 10);
    dispatch();
    assertThat(out.takeAssigned()).filteredOn(a -> a.lease().task().job().value() == 1).hasSize(5);
    assertThat(scheduler.view().projects()).extracting(ProjectView::working).containsExactly(5, 5);
  }

  @Test
  void only_matching_nodes_get_demanding_tasks_also_when_they_came_first() {
    connect("plain", 2);
    scheduler.onHello(
        now,
        new AgentHello(id("gpu"), new NodeId("n"), "gpu", "1", platform("gpu"), 1, 1, List.of()),
        out);
    submit(needing(header(1, 3), labelled("gpu")));
    dispatch();
    assertThat(out.takeAssigned()).extracting(a -> a.agent().value()).containsExactly("gpu");
    submit(header(2, "other", 1));
    dispatch();
    assertThat(out.takeAssignedTo("plain").lease().task().job()).isEqualTo(job(2));
  }

  @Test
  void open_votes_that_no_free_node_may_have_do_not_keep_nodes_from_others() {
    for (int i = 0; i < 20; i++) {
      connectLabelled("gpu-" + i);
    }
    submit(needing(withQuorum(header(1, 300)), labelled("gpu")));
    dispatch();
    assertThat(out.takeAssigned()).hasSizeGreaterThan(256);
    submit(withQuorum(header(2, "other", 1)));
    connect("a", 1);
    connect("b", 1);
    dispatch();
    assertThat(out.takeAssigned())
        .filteredOn(one -> one.lease().task().job().equals(job(2)))
        .extracting(one -> one.agent().value())
        .containsExactlyInAnyOrder("a", "b");
    out.takeAll();
  }

  private void connectLabelled(String name) {
    NodeId node = new NodeId("node-" + name);
    scheduler.onHello(
        now, new AgentHello(id(name), node, name, "1", platform("gpu"), 15, 1, List.of()), out);
  }

  private static JobHeader withQuorum(JobHeader job) {
    StageHeader only = job.stages().getFirst();
    return of(job, List.of(ruled(only, only.rules().withQuorum(2))));
  }

  @Test
  void draining_agents_get_nothing() {
    submit(header(1, 1));
    connect("a", 1);
    scheduler.onDrain(now, id("a"), true, out);
    dispatch();
    out.assertNothingLeft();
    scheduler.onDrain(now, id("a"), false, out);
    leaseFor("a");
  }

  @Test
  void paused_agents_get_nothing_until_they_go_on() {
    submit(header(1, 1));
    connect("a", 1);
    scheduler.onPause(now, id("a"), "its owner is back", out);
    dispatch();
    out.assertNothingLeft();
    assertThat(scheduler.view().agents().getFirst().pause()).isEqualTo("its owner is back");
    scheduler.onPause(now, id("a"), "", out);
    leaseFor("a");
  }

  @Test
  void an_agent_serves_whom_its_owner_names_in_that_order() {
    connectOffering("a", new AgentOffer(List.of("ada/second", "*/first"), 0));
    submit(header(1, "other", 1));
    dispatch();
    out.assertNothingLeft();
    submit(header(2, "first", 1));
    submit(header(3, "second", 2));
    assertThat(leaseFor("a").task().job()).isEqualTo(job(3));
  }

  @Test
  void an_agent_for_short_work_gets_no_project_that_is_known_to_take_long() {
    connectOffering("saver", new AgentOffer(List.of(), 60_000));
    submit(header(1, "slow", 3));
    Lease trial = leaseFor("saver");
    dispatch();
    out.assertNothingLeft();
    finish("saver", trial, AttemptOutcome.SUCCEEDED, 600_000);
    out.assertConfirmed(trial, true);
    dispatch();
    out.assertNothingLeft();
    connect("any", 1);
    leaseFor("any");
  }

  @Test
  void what_an_agent_learns_of_its_node_later_counts() {
    connect("a", 1);
    submit(needing(header(1, 1), labelled("gpu")));
    dispatch();
    out.assertNothingLeft();
    scheduler.onPlatform(now, id("a"), platform("gpu"), out);
    leaseFor("a");
    assertThat(scheduler.profiles().node(0).benchmarkMillis()).isEqualTo(4000);
  }

  private void connectOffering(String name, AgentOffer offer) {
    AgentHello plain = agent(name, 1, 1, List.of());
    scheduler.onHello(
        now,
        new AgentHello(
            plain.agent(),
            plain.node(),
            name,
            "1",
            plain.platform(),
            plain.slots(),
            1,
            List.of(),
            offer),
        out);
  }

  @Test
  void failed_task_prefers_another_node_that_is_free() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    connect("b", 1);
    finishes("a", lease, AttemptOutcome.FAILED);
    dispatch();
    out.takeAssignedTo("b");
  }

  @Test
  void failed_task_goes_back_to_the_same_node_if_there_is_no_other() {
    submit(header(1, 1));
    connect("a", 1);
    finishes("a", leaseFor("a"), AttemptOutcome.FAILED);
    leaseFor("a");
  }

  @Test
  void failed_task_waits_behind_the_others() {
    submit(header(1, 2));
    connect("a", 1);
    finishes("a", leaseFor("a"), AttemptOutcome.FAILED);
    assertThat(leaseFor("a").task().index()).isEqualTo(1);
  }

  @Test
  void long_or_unknown_tasks_are_never_handed_out_ahead() {
    submit(header(1, 100));
    connect("a", 2);
    dispatch();
    List<RecordingOutbox.Assigned> first = out.takeAssigned();
    assertThat(first).hasSize(2);
    finish("a", first.getFirst().lease(), AttemptOutcome.SUCCEEDED, 5_000);
    out.assertConfirmed(first.getFirst().lease(), true);
    dispatch();
    assertThat(out.takeAssigned()).hasSize(1);
  }

  @Test
  void short_tasks_are_handed_out_ahead_for_a_tenth_of_a_second() {
    submit(header(1, 10_000));
    connect("a", 1);
    finish("a", leaseFor("a"), AttemptOutcome.SUCCEEDED, 10);
    dispatch();
    List<RecordingOutbox.Message> messages = out.takeAll();
    assertThat(messages).hasSize(1 + 10);
    assertThat(scheduler.view().leases(id("a"))).hasSize(10);
  }

  @Test
  void after_one_came_back_unstarted_nothing_is_handed_out_ahead() {
    submit(header(1, 10_000));
    connect("a", 1);
    finish("a", leaseFor("a"), AttemptOutcome.SUCCEEDED, 10);
    dispatch();
    out.takeAll();
    for (Lease lease : scheduler.view().leases(id("a"))) {
      AttemptReport unstarted = AttemptReport.withoutRun(AttemptOutcome.GIVEN_BACK, now, "");
      scheduler.onFinished(now, id("a"), lease, unstarted, out);
    }
    dispatch();
    out.takeAll();
    assertThat(scheduler.view().leases(id("a"))).hasSize(1);
  }

  @Test
  void tasks_that_take_no_time_are_handed_out_ahead_up_to_the_limit() {
    submit(header(1, 10_000));
    connect("a", 4);
    dispatch();
    for (RecordingOutbox.Assigned assigned : out.takeAssigned()) {
      finish("a", assigned.lease(), AttemptOutcome.SUCCEEDED, 0);
    }
    dispatch();
    assertThat(scheduler.view().leases(id("a")))
        .hasSize(4 + SchedulerSettings.defaults().maxPrefetch());
    out.takeAll();
    assertThat(scheduler.view().agents().getFirst().running()).isEqualTo(4);
    assertThat(scheduler.view().totals()[TaskState.RUNNING.ordinal()]).isEqualTo(4);
    assertThat(scheduler.view().totals()[TaskState.READY.ordinal()]).isEqualTo(10_000 - 4 - 4);
    assertThat(scheduler.view().projects())
        .singleElement()
        .satisfies(
            project -> {
              assertThat(project.working()).isEqualTo(4);
              assertThat(project.ready()).isEqualTo(10_000 - 4 - 4);
            });
  }

  @Test
  void copy_that_finishes_first_wins_and_the_other_is_stopped() {
    scheduler = scheduler(SchedulerSettings.defaults(), new Copying());
    submit(speculative(header(1, 1)));
    connect("a", 1);
    Lease original = leaseFor("a");
    connect("b", 1);
    Lease copy = leaseFor("b");
    assertThat(copy.task()).isEqualTo(original.task());
    scheduler.checkInvariants();
    assertThat(scheduler.profiles().project(0).copies()).isEqualTo(1);
    finishes("b", copy, AttemptOutcome.SUCCEEDED);
    out.assertStopped(original, "another copy was faster");
    assertState(TaskState.DONE, 1, 0);
    assertThat(scheduler.profiles().project(0).copies()).isZero();
    finish("a", original, AttemptOutcome.SUCCEEDED);
    out.assertConfirmed(original, false);
  }

  @Test
  void what_an_agent_had_that_hung_up_is_copied_although_it_may_come_back() {
    scheduler = scheduler(SchedulerSettings.defaults(), new Deserted());
    submit(speculative(header(1, 1)));
    connect("a", 1);
    Lease original = leaseFor("a");
    connect("b", 1);
    dispatch();
    out.assertNothingLeft();
    scheduler.onDisconnect(now, id("a"), out);
    out.takeAll();
    scheduler.onTick(now, out);
    Lease copy = leaseFor("b");
    assertThat(copy.task()).isEqualTo(original.task());
    scheduler.onHello(now, agent("a", 1, 1, List.of(original)), out);
    finishes("a", original, AttemptOutcome.SUCCEEDED);
    out.assertStopped(copy, "another copy was faster");
    assertState(TaskState.DONE, 1, 0);
  }

  @Test
  void failure_of_one_copy_leaves_the_task_running() {
    scheduler = scheduler(SchedulerSettings.defaults(), new Copying());
    submit(speculative(header(1, 1)));
    connect("a", 1);
    Lease original = leaseFor("a");
    connect("b", 1);
    Lease copy = leaseFor("b");
    out.takeChanges();
    finishes("a", original, AttemptOutcome.FAILED);
    assertThat(out.takeChanges(AttemptEnded.class))
        .extracting(AttemptEnded::state)
        .containsExactly(TaskState.RUNNING);
    finishes("b", copy, AttemptOutcome.SUCCEEDED);
    assertState(TaskState.DONE, 1, 0);
  }

  @Test
  void tasks_that_do_not_allow_it_are_not_copied() {
    scheduler = scheduler(SchedulerSettings.defaults(), new Copying());
    submit(header(1, 1));
    connect("a", 1);
    leaseFor("a");
    connect("b", 1);
    dispatch();
    out.assertNothingLeft();
  }

  @Test
  void cancel_stops_all_copies() {
    scheduler = scheduler(SchedulerSettings.defaults(), new Copying());
    submit(speculative(header(1, 1)));
    connect("a", 1);
    Lease original = leaseFor("a");
    connect("b", 1);
    Lease copy = leaseFor("b");
    scheduler.onCancel(now, job(1), 0, 1, out);
    out.assertStopped(original, "cancelled");
    out.assertStopped(copy, "cancelled");
  }

  @Test
  void slot_that_the_strategy_left_free_is_offered_again_after_a_while() {
    Copying strategy = new Copying();
    strategy.leaveFree = true;
    scheduler = scheduler(SchedulerSettings.defaults(), strategy);
    submit(header(1, 1));
    connect("a", 1);
    dispatch();
    out.assertNothingLeft();
    strategy.leaveFree = false;
    pass(1_000);
    leaseFor("a");
  }

  @Test
  void one_agent_can_be_served_alone() {
    submit(header(1, 5));
    connect("a", 1);
    connect("b", 2);
    scheduler.dispatchTo(now, id("b"), out);
    assertThat(out.takeAssigned()).extracting(a -> a.agent().value()).containsExactly("b", "b");
  }

  private static Requirements labelled(String label) {
    return new Requirements(
        List.of(new Need(Set.of(), Set.of(), 0, 0, 0, 0, Set.of(label), Map.of())));
  }

  @Test
  void classes_that_no_job_has_any_more_are_forgotten_and_their_numbers_used_again() {
    connect("a", 1);
    for (int i = 1; i <= 1_000; i++) {
      Requirements needs = i % 100 == 0 ? Requirements.ANY : onlyWith("nowhere-" + i);
      submit(needing(header(i, 1), needs));
      dispatch();
      for (RecordingOutbox.Assigned assigned : out.takeAssigned()) {
        assertThat(assigned.lease().task().job().value() % 100).isZero();
        finishes("a", assigned.lease(), AttemptOutcome.SUCCEEDED);
      }
      if (i % 10 > 0) {
        scheduler.onCancel(now, job(i), 0, 1, out);
        assertThat(scheduler.forget(job(i))).isTrue();
      }
      scheduler.checkInvariants();
    }
    assertThat(scheduler.requirementClasses()).isLessThan(300);
  }

  private static Requirements onlyWith(String label) {
    return new Requirements(
        List.of(new Requirements.Need(Set.of(), Set.of(), 0, 0, 0, 0, Set.of(label), Map.of())));
  }
}
