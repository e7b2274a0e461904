package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.Dependency;
import dev.imker.core.message.JobHeader;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.TaskEvent;
import dev.imker.model.TaskLifeCycle;
import dev.imker.model.TaskLifeCycle.Transition;
import dev.imker.model.TaskState;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.TaskRules;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scheduler takes every step that the life cycle declares; one without a way to it fails. */
class TaskLifeTest extends SchedulerFixture {
  private static final String AGENT = "a";

  /** A job that job 1 waits for, where it waits. */
  private static final long BEFORE = 2;

  static List<Transition> transitions() {
    return TaskLifeCycle.TRANSITIONS;
  }

  @ParameterizedTest
  @MethodSource("transitions")
  void scheduler_takes_the_step(Transition step) {
    reach(step.from(), step.event());
    assertState(step.from(), 1, 0);
    cause(step.event());
    assertState(step.to(), 1, 0);
    assertThat(visited).contains(step);
  }

  /** Brings task 1.1 into a state from which the event is to happen next. */
  private void reach(TaskState state, TaskEvent event) {
    boolean waits =
        event == TaskEvent.RELEASE_TO_WAIT
            || event == TaskEvent.PREDECESSOR_FAILED
            || state == TaskState.WAITING;
    switch (event) {
      case RESTART_TO_WAIT -> {
        submit(staged(1, stage(1, new Dependency.All(1)), stage(1)));
        reachInSecondStage(state);
        return;
      }
      case PAUSE, PAUSE_OVER -> {
        submit(staged(1, ruled(stage(1), rules().withBackoff(1_000))));
        start();
        if (event == TaskEvent.PAUSE_OVER) {
          finishes(AGENT, held(), AttemptOutcome.FAILED);
        }
        return;
      }
      case VOTE -> {
        submit(staged(1, ruled(stage(1), rules().withQuorum(2))));
        start();
        return;
      }
      case UNDO, UNDONE -> {
        reachRollback(state);
        return;
      }
      default -> {}
    }
    if (waits) {
      submit(header(BEFORE, 1));
      submit(staged(1, stage(1, onJob(BEFORE))));
      reachFromWaiting(state);
    } else {
      submit(header(1, 1));
      reachFromReady(state);
    }
    if (state == TaskState.RUNNING) {
      prepare(event);
    }
  }

  private static TaskRules rules() {
    return stage(1).rules();
  }

  /** The task waits for another of its job, which is done unless it still waits. */
  private void reachInSecondStage(TaskState state) {
    if (state == TaskState.CANCELLED) {
      scheduler.onCancel(now, job(1), 0, 1, out);
      return;
    }
    finishes(AGENT, start(), AttemptOutcome.SUCCEEDED);
    if (state == TaskState.DONE) {
      finishes(AGENT, start(), AttemptOutcome.SUCCEEDED);
    } else {
      reachFromReady(state);
    }
  }

  /** The task is done, or is being undone since another of its job failed. */
  private void reachRollback(TaskState state) {
    JobHeader job = staged(1, stage(2));
    OnFailure rollback = new OnFailure(OnFailure.Way.ROLLBACK, 0);
    submit(new JobHeader(job.id(), job.project(), 4, job.stages(), rollback));
    finishes(AGENT, start(), AttemptOutcome.SUCCEEDED);
    if (state == TaskState.RUNNING) {
      overLimit(start());
      start();
    } else {
      start();
    }
  }

  private void reachFromWaiting(TaskState state) {
    switch (state) {
      case WAITING -> {}
      case BLOCKED -> scheduler.onBlock(now, job(1), 0, 1, out);
      case CANCELLED -> scheduler.onCancel(now, job(1), 0, 1, out);
      case FAILED -> scheduler.onCancel(now, job(BEFORE), 0, 1, out);
      case READY, RUNNING, DONE, AUTO_BLOCKED -> throw new AssertionError("no way to " + state);
    }
  }

  private void reachFromReady(TaskState state) {
    switch (state) {
      case READY -> {}
      case RUNNING -> start();
      case BLOCKED -> scheduler.onBlock(now, job(1), 0, 1, out);
      case CANCELLED -> scheduler.onCancel(now, job(1), 0, 1, out);
      case AUTO_BLOCKED -> {
        for (int i = 0; i < 3; i++) {
          finishes(AGENT, start(), AttemptOutcome.FAILED);
        }
      }
      case FAILED -> overLimit(start());
      case DONE -> finishes(AGENT, start(), AttemptOutcome.SUCCEEDED);
      case WAITING -> throw new AssertionError("no way to " + state);
    }
  }

  /** Fails or loses a running task as often as it may, so that the next time is one too many. */
  private void prepare(TaskEvent event) {
    for (int i = 0; event == TaskEvent.FAILED_TOO_OFTEN && i < 2; i++) {
      finishes(AGENT, held(), AttemptOutcome.FAILED);
      start();
    }
    for (int i = 0; event == TaskEvent.LOST_TOO_OFTEN && i < 4; i++) {
      connect(AGENT, 1);
      start();
    }
  }

  private void cause(TaskEvent event) {
    switch (event) {
      case PREDECESSORS_DONE -> finishes(AGENT, start(), AttemptOutcome.SUCCEEDED);
      case PREDECESSOR_FAILED -> scheduler.onCancel(now, job(BEFORE), 0, 1, out);
      case ASSIGN -> start();
      case COMMIT -> finishes(AGENT, held(), AttemptOutcome.SUCCEEDED);
      case ATTEMPT_FAILED, FAILED_TOO_OFTEN -> finishes(AGENT, held(), AttemptOutcome.FAILED);
      case FAILED_FOR_GOOD -> overLimit(held());
      case LEASE_LOST, LOST_TOO_OFTEN -> connect(AGENT, 1);
      case PAUSE -> finishes(AGENT, held(), AttemptOutcome.FAILED);
      case PAUSE_OVER -> {
        now += 1_000;
        scheduler.onSignOfLife(now, id(AGENT), List.of(), out);
        scheduler.onTick(now, out);
      }
      case VOTE, UNDONE -> finishes(AGENT, held(), AttemptOutcome.SUCCEEDED);
      case UNDO -> overLimit(held());
      case RESTART, RESTART_TO_WAIT -> {
        List<Lease> held = scheduler.view().leases(id(AGENT));
        scheduler.restart(now, job(1), out);
        held.forEach(lease -> out.assertStopped(lease, "the job restarts"));
      }
      case GIVEN_BACK -> finishes(AGENT, held(), AttemptOutcome.GIVEN_BACK);
      case BLOCK -> {
        List<Lease> held = scheduler.view().leases(id(AGENT));
        scheduler.onBlock(now, job(1), 0, 1, out);
        held.forEach(lease -> out.assertStopped(lease, "blocked"));
      }
      case CANCEL -> {
        List<Lease> held = scheduler.view().leases(id(AGENT));
        scheduler.onCancel(now, job(1), 0, 1, out);
        held.forEach(lease -> out.assertStopped(lease, "cancelled"));
      }
      case RELEASE -> scheduler.onRelease(now, job(1), 0, 1, out);
      case RELEASE_TO_WAIT -> {
        scheduler.onRelease(now, job(BEFORE), 0, 1, out);
        scheduler.onRelease(now, job(1), 0, 1, out);
      }
    }
  }

  private Lease start() {
    if (scheduler.view().agents().isEmpty()) {
      connect(AGENT, 1);
    }
    return leaseFor(AGENT);
  }

  private Lease held() {
    return scheduler.view().leases(id(AGENT)).getFirst();
  }

  private void overLimit(Lease lease) {
    now += 60_000;
    scheduler.onSignOfLife(now, id(AGENT), List.of(lease), out);
    scheduler.onTick(now, out);
    out.assertStopped(lease, "exceeded its time limit");
    finishes(AGENT, lease, AttemptOutcome.STOPPED);
  }
}
