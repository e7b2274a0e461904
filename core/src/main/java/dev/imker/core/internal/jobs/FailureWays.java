package dev.imker.core.internal.jobs;

import dev.imker.core.internal.leases.Attempts;
import dev.imker.core.internal.steps.Consequences;
import dev.imker.core.internal.steps.JobReports;
import dev.imker.core.internal.steps.TaskSteps;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.message.JobPhase;
import dev.imker.core.message.Outbox;
import dev.imker.model.TaskEvent;
import dev.imker.model.TaskLifeCycle;
import dev.imker.model.TaskState;
import dev.imker.model.change.JobPhased;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What becomes of a whole job when one of its tasks has failed for good. */
public record FailureWays(TaskSteps steps, RangeOrders orders, Attempts attempts) {
  /** Draws all consequences of an event, for tasks and for whole jobs. */
  public void settle(long nowMillis, Outbox out) {
    steps.consequences().draw(nowMillis, out);
    while (!steps.failedJobs().isEmpty()) {
      for (TaskArray job : List.copyOf(steps.failedJobs())) {
        steps.failedJobs().remove(job);
        go(nowMillis, job, out);
      }
      steps.consequences().draw(nowMillis, out);
    }
  }

  /** Somebody lets tasks of a job go on: what it went through before is over. */
  public void released(TaskArray job, Outbox out) {
    if (job.phase.way() == JobPhase.Way.ABORTED || job.phase.way() == JobPhase.Way.ROLLED_BACK) {
      phase(job, JobPhase.Way.RUNNING, 0, out);
    }
  }

  private void go(long nowMillis, TaskArray job, Outbox out) {
    switch (job.header().onFailure().way()) {
      case CARRY_ON -> {}
      case ABORT -> {
        phase(job, JobPhase.Way.ABORTED, 0, out);
        orders.apply(nowMillis, job, 0, job.size(), Order.ABORT, out);
      }
      case RESTART -> {
        int times = job.phase.number();
        if (times < job.header().onFailure().limit()) {
          phase(job, JobPhase.Way.RESTARTED, times + 1, out);
          restart(nowMillis, job, out);
        }
      }
      case ROLLBACK -> rollBack(nowMillis, job, out);
    }
  }

  /** Begins a job again: every task but those that are held back is as it was submitted. */
  public void restart(long nowMillis, TaskArray job, Outbox out) {
    job.pauses = null;
    job.ordered();
    for (int first = 0; first < job.size(); ) {
      StageTasks stage = job.stage(first);
      int end = job.state(first) == TaskState.RUNNING ? first + 1 : job.endOfRun(first, stage.end);
      TaskEvent event = restartEvent(stage, job.state(first));
      if (event != null) {
        restart(nowMillis, job, first, end, event, "", out);
      }
      first = end;
    }
    JobReports.touched(job, nowMillis, out);
  }

  private static @Nullable TaskEvent restartEvent(StageTasks stage, TaskState state) {
    TaskEvent event =
        stage.header().after().isEmpty() ? TaskEvent.RESTART : TaskEvent.RESTART_TO_WAIT;
    if (event == TaskEvent.RESTART && state == TaskState.WAITING) {
      event = TaskEvent.PAUSE_OVER;
    }
    return TaskLifeCycle.next(state, event) == null ? null : event;
  }

  private void restart(
      long nowMillis,
      TaskArray job,
      int from,
      int toExclusive,
      TaskEvent event,
      String reason,
      Outbox out) {
    RunningTask running = job.running(from);
    boolean uncounted = job.state(from) == TaskState.DONE && !job.mayBeginAgain();
    TaskState state = steps.take(job, from, toExclusive, event);
    for (int i = from; i < toExclusive; i++) {
      if (uncounted) {
        job.otherAttempts().increment(i);
      }
      job.forgive(i);
    }
    job.told().set(from, toExclusive);
    boolean toldByAttempts = running != null && running.attempts() > 0;
    if (running != null) {
      attempts.withdrawAll(nowMillis, running, "the job begins again", state, out);
    }
    if (!toldByAttempts) {
      Consequences.tell(nowMillis, job, from, toExclusive, state, reason, out);
    }
    steps.consequences().recheck(job, from, toExclusive);
  }

  /** Lets a DONE task be done again. */
  public void repeat(long nowMillis, TaskArray job, int index, String why, Outbox out) {
    TaskEvent event = job.isUnmet(index) ? TaskEvent.RESTART_TO_WAIT : TaskEvent.RESTART;
    restart(nowMillis, job, index, index + 1, event, why, out);
    JobReports.touched(job, nowMillis, out);
  }

  private void rollBack(long nowMillis, TaskArray job, Outbox out) {
    switch (job.phase.way()) {
      case RUNNING -> {
        phase(job, JobPhase.Way.ROLLING_BACK, 0, out);
        orders.apply(nowMillis, job, 0, job.size(), Order.ABORT, out);
        undoNext(nowMillis, job, out);
      }
      case ROLLING_BACK, ROLLBACK_FAILED -> {
        if (!job.isUndoLive()) {
          undoNext(nowMillis, job, out);
        }
      }
      case ABORTED, RESTARTED, ROLLED_BACK -> {}
    }
  }

  /** Hands out the task that was done last, to be undone; after a failure nothing more. */
  private void undoNext(long nowMillis, TaskArray job, Outbox out) {
    if (job.undoFailed()) {
      phase(job, JobPhase.Way.ROLLBACK_FAILED, job.phase.number(), out);
      out.jobTouched(job.id());
      return;
    }
    int next = job.doneOrder().last();
    if (next < 0) {
      phase(job, JobPhase.Way.ROLLED_BACK, 0, out);
    } else {
      phase(job, JobPhase.Way.ROLLING_BACK, next + 1, out);
      TaskState state = steps.take(job, next, TaskEvent.UNDO);
      job.forgive(next);
      Consequences.tell(nowMillis, job, next, next + 1, state, "", out);
      JobReports.touched(job, nowMillis, out);
    }
    out.jobTouched(job.id());
  }

  private static void phase(TaskArray job, JobPhase.Way way, int number, Outbox out) {
    JobPhase next = new JobPhase(way, number);
    if (!next.equals(job.phase)) {
      job.phase = next;
      out.change(new JobPhased(job.id(), next.toString()));
    }
  }
}
