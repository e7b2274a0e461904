package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.Dependency;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.StageHeader;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import dev.imker.model.job.Requirements;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks that start together or not at all. */
class GangTest extends SchedulerFixture {
  private static StageHeader gang(int tasks, Dependency... after) {
    StageHeader stage = stage(tasks, after);
    return stage.withRules(stage.rules().with(rules -> rules.gang = true));
  }

  private List<Lease> assigned() {
    dispatch();
    return new ArrayList<>(
        out.takeAssigned().stream().map(RecordingOutbox.Assigned::lease).toList());
  }

  private List<Lease> of(long job, List<Lease> leases) {
    return leases.stream().filter(lease -> lease.task().job().value() == job).toList();
  }

  @Test
  void a_gang_waits_until_there_are_slots_for_all() {
    submit(staged(1, gang(3)));
    connect("a", 2);
    assertThat(assigned()).isEmpty();
    connect("b", 1);
    assertThat(assigned()).hasSize(3);
    assertThat(count(1, TaskState.RUNNING)).isEqualTo(3);
  }

  @Test
  void other_work_goes_on_until_the_gang_has_waited_for_long() {
    submit(header(1, 100));
    connect("a", 2);
    List<Lease> running = assigned();
    assertThat(of(1, running)).hasSize(2);
    submit(staged(2, gang(2)));
    finishes("a", running.removeFirst(), AttemptOutcome.SUCCEEDED);
    running.addAll(assigned());
    assertThat(of(1, running)).as("nothing is kept free yet").hasSize(2);
    now += 60_000;
    scheduler.onSignOfLife(now, id("a"), running, out);
    assertThat(assigned()).isEmpty();
    finishes("a", running.removeFirst(), AttemptOutcome.SUCCEEDED);
    assertThat(assigned()).as("a slot is kept for the gang").isEmpty();
    finishes("a", running.removeFirst(), AttemptOutcome.SUCCEEDED);
    assertThat(of(2, assigned())).hasSize(2);
  }

  @Test
  void a_gang_that_never_fits_keeps_nothing_from_others() {
    submit(header(1, 100));
    submit(staged(2, gang(3)));
    connect("a", 2);
    List<Lease> running = assigned();
    now += 200_000;
    scheduler.onSignOfLife(now, id("a"), running, out);
    finishes("a", running.getFirst(), AttemptOutcome.SUCCEEDED);
    assertThat(of(1, assigned())).hasSize(1);
    assertThat(count(2, TaskState.READY)).isEqualTo(3);
  }

  @Test
  void a_gang_above_the_quota_of_its_user_keeps_nothing_from_others() {
    scheduler.onQuota("ada", 1);
    submit(staged(1, gang(2)));
    submit(
        new JobHeader(
            job(2), new ProjectId("bob", "p"), 100, Requirements.ANY, 4, 3, 60_000, false));
    connect("a", 2);
    List<Lease> running = assigned();
    now += 60_000;
    scheduler.onSignOfLife(now, id("a"), running, out);
    assertThat(assigned()).isEmpty();
    finishes("a", running.getFirst(), AttemptOutcome.SUCCEEDED);
    assertThat(of(2, assigned())).hasSize(1);
    scheduler.onQuota("ada", 2);
    assertThat(assigned()).isEmpty();
    assertThat(scheduler.view().reservations(now)).as("now it could start").hasSize(1);
    scheduler.onQuota("ada", 1);
    assertThat(assigned()).isEmpty();
    assertThat(scheduler.view().reservations(now)).isEmpty();
  }

  @Test
  void a_task_that_comes_back_starts_again_alone() {
    submit(staged(1, gang(2)));
    connect("a", 2);
    List<Lease> both = assigned();
    finishes("a", both.getFirst(), AttemptOutcome.FAILED);
    assertThat(assigned()).hasSize(1);
  }

  @Test
  void a_gang_waits_for_the_predecessors_of_all_and_its_tasks_can_be_cancelled() {
    submit(staged(1, stage(2), gang(2, new Dependency.Each(0))));
    connect("a", 3);
    List<Lease> first = assigned();
    assertThat(first).hasSize(2);
    finishes("a", first.getFirst(), AttemptOutcome.SUCCEEDED);
    assertThat(assigned()).isEmpty();
    finishes("a", first.get(1), AttemptOutcome.SUCCEEDED);
    assertThat(assigned()).hasSize(2);
    submit(staged(2, gang(4)));
    assertThat(scheduler.onCancel(now, job(2), 0, 4, out)).isEqualTo(4);
    assertThat(count(2, TaskState.CANCELLED)).isEqualTo(4);
  }
}
