package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrdersTest extends SchedulerFixture {
  @Test
  void million_ready_tasks_are_cancelled_by_one_change() {
    submit(header(1, 1_000_000));
    assertThat(scheduler.onCancel(now, job(1), 0, 1_000_000, out)).isEqualTo(1_000_000);
    assertThat(count(1, TaskState.CANCELLED)).isEqualTo(1_000_000);
    assertThat(out.takeChanges())
        .hasSize(2)
        .contains(new TasksChanged(job(1), 0, 1_000_000, TaskState.CANCELLED, 0, 0, now));
    assertThat(scheduler.view().ready()).isZero();
  }

  @Test
  void job_is_told_as_settled_and_as_open_again() {
    submit(header(1, 2));
    scheduler.onCancel(now, job(1), 0, 2, out);
    List<JobChanged> settled = out.takeChanges(JobChanged.class);
    assertThat(settled).extracting(JobChanged::settledMillis).containsExactly(now);
    scheduler.onRelease(now, job(1), 1, 2, out);
    List<JobChanged> open = out.takeChanges(JobChanged.class);
    assertThat(open).extracting(JobChanged::settledMillis).containsExactly(JobChanged.OPEN);
    assertThat(open.getFirst().countsByState()[TaskState.READY.ordinal()]).isEqualTo(1);
  }

  @Test
  void middle_of_a_job_can_be_cut_out_of_its_queue() {
    submit(header(1, 10));
    scheduler.onBlock(now, job(1), 3, 6, out);
    scheduler.checkInvariants();
    connect("a", 7);
    dispatch();
    assertThat(out.takeAssigned())
        .extracting(a -> a.lease().task().index())
        .containsExactly(0, 1, 2, 6, 7, 8, 9);
  }

  @Test
  void cancel_of_a_mixed_job_stops_what_runs_and_leaves_what_is_done() {
    submit(header(1, 5));
    connect("a", 2);
    dispatch();
    List<Lease> leases = out.takeAssigned().stream().map(RecordingOutbox.Assigned::lease).toList();
    finishes("a", leases.get(0), AttemptOutcome.SUCCEEDED);
    out.takeChanges();
    assertThat(scheduler.onCancel(now, job(1), 0, Integer.MAX_VALUE, out)).isEqualTo(4);
    out.assertStopped(leases.get(1), "cancelled");
    assertState(TaskState.DONE, 1, 0);
    assertThat(count(1, TaskState.CANCELLED)).isEqualTo(4);
    assertThat(out.takeChanges())
        .hasExactlyElementsOfTypes(AttemptEnded.class, TasksChanged.class, JobChanged.class);
  }

  @Test
  void stopped_task_fills_its_slot_until_the_agent_has_ended_it() {
    submit(header(1, 1));
    submit(header(2, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    scheduler.onCancel(now, job(1), 0, 1, out);
    out.assertStopped(lease, "cancelled");
    dispatch();
    out.assertNothingLeft();
    assertThat(scheduler.onSignOfLife(now, id("a"), List.of(lease), out)).containsExactly(lease);
    finish("a", lease, AttemptOutcome.STOPPED);
    out.assertConfirmed(lease, false);
    assertThat(leaseFor("a").task()).isEqualTo(TaskId.of(2, 0));
  }

  @Test
  void success_that_crosses_a_cancel_is_refused() {
    submit(header(1, 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    scheduler.onCancel(now, job(1), 0, 1, out);
    out.assertStopped(lease, "cancelled");
    finish("a", lease, AttemptOutcome.SUCCEEDED);
    out.assertConfirmed(lease, false);
    assertState(TaskState.CANCELLED, 1, 0);
  }

  @Test
  void released_task_starts_with_a_clean_record_but_its_attempts_go_on_counting() {
    submit(header(1, 1));
    connect("a", 1);
    for (int i = 0; i < 3; i++) {
      finishes("a", leaseFor("a"), AttemptOutcome.FAILED);
    }
    assertState(TaskState.AUTO_BLOCKED, 1, 0);
    out.takeChanges();
    scheduler.onRelease(now, job(1), 0, 1, out);
    assertThat(out.takeChanges(TaskChanged.class))
        .containsExactly(new TaskChanged(TaskId.of(1, 0), TaskState.READY, 0, 0, now));
    dispatch();
    RecordingOutbox.Assigned again = out.takeAssignedTo("a");
    assertThat(again.attempt()).isEqualTo(4);
    finishes("a", again.lease(), AttemptOutcome.FAILED);
    assertState(TaskState.READY, 1, 0);
  }

  @Test
  void orders_for_unknown_jobs_and_tasks_change_nothing() {
    submit(header(1, 2));
    assertThat(scheduler.onCancel(now, job(9), 0, 5, out)).isZero();
    assertThat(scheduler.onCancel(now, job(1), 2, 5, out)).isZero();
    assertThat(scheduler.onRelease(now, job(1), 0, 2, out)).isZero();
    assertThat(out.takeChanges()).isEmpty();
  }

  @Test
  void priority_changes_the_order_inside_a_project() {
    submit(header(1, 2));
    submit(header(2, 2));
    scheduler.onPriority(now, job(2), 9, out);
    assertThat(out.takeChanges(JobChanged.class))
        .extracting(JobChanged::priority)
        .containsExactly(9);
    connect("a", 3);
    dispatch();
    assertThat(out.takeAssigned())
        .extracting(a -> a.lease().task().toString())
        .containsExactly("2.1", "2.2", "1.1");
  }

  @Test
  void settled_job_can_be_forgotten_and_restored() {
    submit(header(1, 2));
    assertThat(scheduler.forget(job(1))).isFalse();
    scheduler.onCancel(now, job(1), 0, 2, out);
    assertThat(scheduler.forget(job(1))).isTrue();
    assertThat(scheduler.view().counts(job(1))).isNull();
    scheduler.recovery().job(header(1, 2));
    scheduler.recovery().task(TaskId.of(1, 0), TaskState.CANCELLED, 0, 0, 0);
    scheduler.recovery().complete(now);
    assertThat(count(1, TaskState.READY)).isEqualTo(1);
    assertThat(scheduler.view().jobs()).containsExactly(job(1));
  }
}
