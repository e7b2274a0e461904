package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.Dependency;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks that wait for others. */
class GraphTest extends SchedulerFixture {
  @Test
  void stage_after_any_end_starts_when_the_last_task_has_ended_however_that_was() {
    submit(staged(1, stage(2), stage(1, new Dependency.All(0, true))));
    connect("a", 2);
    dispatch();
    List<Lease> leases = out.takeAssigned().stream().map(RecordingOutbox.Assigned::lease).toList();
    finishes("a", leases.getFirst(), AttemptOutcome.SUCCEEDED);
    assertState(TaskState.WAITING, 1, 2);
    scheduler.onCancel(now, job(1), 1, 2, out);
    out.assertStopped(leases.getLast(), "cancelled");
    Lease last = leaseFor("a");
    assertThat(last.task()).isEqualTo(TaskId.of(1, 2));
    finishes("a", last, AttemptOutcome.SUCCEEDED);
    // What begins again later does not take back what followed.
    scheduler.onRelease(now, job(1), 1, 2, out);
    assertState(TaskState.DONE, 1, 2);
  }

  @Test
  void stage_begins_when_all_tasks_of_the_other_are_done() {
    submit(staged(1, stage(2), stage(3, new Dependency.All(0))));
    connect("a", 5);
    dispatch();
    List<Lease> first = leases();
    assertThat(first).hasSize(2);
    finishes("a", first.get(0), AttemptOutcome.SUCCEEDED);
    dispatch();
    out.assertNothingLeft();
    out.takeChanges();
    finishes("a", first.get(1), AttemptOutcome.SUCCEEDED);
    assertThat(out.takeChanges(TasksChanged.class)).as("follows from the other stage").isEmpty();
    dispatch();
    assertThat(leases()).extracting(lease -> lease.task().index()).containsExactly(2, 3, 4);
  }

  @Test
  void each_task_follows_its_own() {
    submit(staged(1, stage(3), stage(3, new Dependency.Each(0))));
    connect("a", 3);
    dispatch();
    finishes("a", leases().get(1), AttemptOutcome.SUCCEEDED);
    assertThat(leaseFor("a").task().index()).isEqualTo(4);
  }

  @Test
  void tasks_of_a_group_wait_for_each_other_only() {
    int[] before = {0, 1, 0};
    int[] after = {1, 0, -1};
    submit(staged(1, stage(3), stage(3, new Dependency.Grouped(0, 2, before, after))));
    assertState(TaskState.READY, 1, 5);
    connect("a", 4);
    dispatch();
    List<Lease> leases = leases();
    finishes("a", leases.get(0), AttemptOutcome.SUCCEEDED);
    assertState(TaskState.WAITING, 1, 4);
    finishes("a", leases.get(2), AttemptOutcome.SUCCEEDED);
    assertState(TaskState.READY, 1, 4);
    assertState(TaskState.WAITING, 1, 3);
  }

  @Test
  void failure_reaches_all_that_follow_and_a_release_brings_them_back() {
    submit(staged(1, stage(1), stage(2, new Dependency.All(0)), stage(2, new Dependency.Each(1))));
    scheduler.onCancel(now, job(1), 0, 1, out);
    assertThat(count(1, TaskState.FAILED)).isEqualTo(4);
    assertThat(out.takeChanges())
        .contains(
            new TasksChanged(job(1), 1, 3, TaskState.FAILED, 0, 0, now, "predecessor 1.1 failed"),
            new TaskChanged(
                TaskId.of(1, 4), TaskState.FAILED, 0, 0, now, "predecessor 1.3 failed"));
    scheduler.onRelease(now, job(1), 0, 1, out);
    assertThat(count(1, TaskState.WAITING)).isEqualTo(4);
    assertState(TaskState.READY, 1, 0);
  }

  @Test
  void release_of_a_task_whose_predecessor_failed_changes_nothing_in_the_end() {
    submit(staged(1, stage(1), stage(2, new Dependency.All(0))));
    scheduler.onCancel(now, job(1), 0, 1, out);
    scheduler.onRelease(now, job(1), 1, 3, out);
    assertThat(count(1, TaskState.FAILED)).isEqualTo(2);
  }

  @Test
  void cancelled_job_is_cancelled_as_a_whole() {
    submit(staged(1, stage(50_000), stage(50_000, new Dependency.All(0))));
    assertThat(scheduler.onCancel(now, job(1), 0, 100_000, out)).isEqualTo(100_000);
    assertThat(count(1, TaskState.CANCELLED)).isEqualTo(100_000);
    assertThat(out.takeChanges()).as("whole ranges").hasSizeLessThan(5);
  }

  @Test
  void job_waits_for_tasks_of_another_also_when_that_is_settled_and_forgotten() {
    submit(header(1, 1));
    submit(staged(2, stage(1, onJob(1))));
    assertThat(scheduler.view().isWaitedFor(job(1))).isTrue();
    scheduler.onCancel(now, job(1), 0, 1, out);
    assertState(TaskState.FAILED, 2, 0);
    assertThat(scheduler.forget(job(1))).isTrue();
    scheduler.recovery().job(header(1, 1));
    scheduler.recovery().task(TaskId.of(1, 0), TaskState.CANCELLED, 0, 0, 0);
    scheduler.recovery().complete(now);
    scheduler.onRelease(now, job(1), 0, 1, out);
    assertState(TaskState.WAITING, 2, 0);
    connect("a", 1);
    finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
    assertState(TaskState.READY, 2, 0);
  }

  @Test
  void job_after_one_that_failed_fails_at_once() {
    submit(header(1, 1));
    scheduler.onCancel(now, job(1), 0, 1, out);
    submit(staged(2, stage(3, onJob(1))));
    assertThat(count(2, TaskState.FAILED)).isEqualTo(3);
  }

  private List<Lease> leases() {
    return out.takeAssigned().stream().map(RecordingOutbox.Assigned::lease).toList();
  }
}
