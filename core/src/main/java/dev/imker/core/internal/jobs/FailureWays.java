package dev.imker.core.internal.jobs;

import dev.imker.core.internal.leases.Attempts;
import dev.imker.core.internal.queues.ReadyWork;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a whole job when one of its tasks has failed permanently. If this concerns more
 * tasks than fit into a turn, the job is held back until all of them have been changed over several
 * turns; its phase tells a successor of this server to continue.
 */
public final class FailureWays {
  /** A job whose tasks are being changed, from the first one on. */
  private static final class Sweep {
    final TaskArray job;
    int next;

    Sweep(TaskArray job) {
      this.job = job;
    }
  }

  private final TaskSteps steps;
  private final RangeOrders orders;
  private final Attempts attempts;
  private final ReadyWork ready;
  private final int perTurn;
  private final Deque<Sweep> sweeps = new ArrayDeque<>();
  private int room;

  /**
   * @param perTurn how many tasks are changed in one turn
   */
  public FailureWays(
      TaskSteps steps, RangeOrders orders, Attempts attempts, ReadyWork ready, int perTurn) {
    this.steps = steps;
    this.orders = orders;
    this.attempts = attempts;
    this.ready = ready;
    this.perTurn = perTurn;
    this.room = perTurn;
  }

  /** Applies all consequences of an event, for tasks and for whole jobs. */
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

  /** Somebody released tasks of a job: its earlier phase is over. */
  public void released(TaskArray job, Outbox out) {
    if (job.phase.way() == JobPhase.Way.ABORTED || job.phase.way() == JobPhase.Way.ROLLED_BACK) {
      phase(job, JobPhase.Way.RUNNING, 0, out);
    }
  }

  private void go(long nowMillis, TaskArray job, Outbox out) {
    if (job.heldBack) {
      return; // what fails meanwhile is reached as well
    }
    switch (job.header().onFailure().way()) {
      case CARRY_ON -> {}
      case ABORT -> begin(nowMillis, job, JobPhase.Way.ABORTING, 0, out);
      case RESTART -> {
        int times = job.phase.number();
        if (times < job.header().onFailure().limit()) {
          restart(nowMillis, job, times + 1, out);
        }
      }
      case ROLLBACK -> rollBack(nowMillis, job, out);
    }
  }

  /** Restarts a job: every task except those held back is reset to its initial state. */
  public void restart(long nowMillis, TaskArray job, int times, Outbox out) {
    job.pauses = null;
    job.ordered();
    begin(nowMillis, job, JobPhase.Way.RESTARTING, times, out);
  }

  private void begin(long nowMillis, TaskArray job, JobPhase.Way way, int number, Outbox out) {
    ready.holdBack(job);
    JobPhase begun = new JobPhase(way, number);
    Sweep sweep = new Sweep(job);
    job.phase = begun;
    // At least one task, so that the job is never settled before all of this is over.
    room = Math.max(1, room);
    if (!sweep(nowMillis, sweep, out)) {
      sweeps.add(sweep);
      out.change(new JobPhased(job.id(), begun.toString()));
    }
  }

  /** Continues with a job that an earlier process had begun to change. */
  public void resume(TaskArray job) {
    sweeps.add(new Sweep(job));
  }

  /** Whether there are tasks left for later turns. */
  public boolean areLeft() {
    return !sweeps.isEmpty();
  }

  /** Changes as many tasks as this turn has room for; returns whether there were any. */
  public boolean goOn(long nowMillis, Outbox out) {
    boolean any = false;
    while (!sweeps.isEmpty() && room > 0) {
      any = true;
      if (sweep(nowMillis, sweeps.peekFirst(), out)) {
        sweeps.removeFirst();
      }
    }
    return any;
  }

  /** A turn is over. */
  public void turnEnds() {
    room = perTurn;
  }

  /** Returns whether all tasks of the job have been reached; then it is let go. */
  private boolean sweep(long nowMillis, Sweep sweep, Outbox out) {
    TaskArray job = sweep.job;
    while (sweep.next < job.size() && room > 0) {
      int end = Math.min(job.size(), sweep.next + room);
      room -=
          job.phase.way() == JobPhase.Way.RESTARTING
              ? restart(nowMillis, job, sweep.next, end, out)
              : orders.apply(nowMillis, job, sweep.next, end, Order.ABORT, out);
      sweep.next = end;
    }
    if (sweep.next < job.size()) {
      return false;
    }
    ready.letGo(job);
    steps.consequences().recheck(job, 0, job.size());
    switch (job.phase.way()) {
      case ABORTING -> phase(job, JobPhase.Way.ABORTED, 0, out);
      case RESTARTING -> phase(job, JobPhase.Way.RESTARTED, job.phase.number(), out);
      default -> undoNext(nowMillis, job, out);
    }
    return true;
  }

  private int restart(long nowMillis, TaskArray job, int from, int toExclusive, Outbox out) {
    int changed = 0;
    for (int first = from; first < toExclusive; ) {
      StageTasks stage = job.stage(first);
      int stageEnd = Math.min(stage.end, toExclusive);
      int end = job.state(first) == TaskState.RUNNING ? first + 1 : job.endOfRun(first, stageEnd);
      TaskEvent event = restartEvent(stage, job.state(first));
      if (event != null) {
        restart(nowMillis, job, first, end, event, "", out);
        changed += end - first;
      }
      first = end;
    }
    JobReports.touched(job, nowMillis, out);
    return changed;
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
      attempts.withdrawAll(nowMillis, running, "the job restarts", state, out);
    }
    if (!toldByAttempts) {
      Consequences.tell(nowMillis, job, from, toExclusive, state, reason, out);
    }
    steps.consequences().recheck(job, from, toExclusive);
  }

  /** Reopens a DONE task. */
  public void repeat(long nowMillis, TaskArray job, int index, String why, Outbox out) {
    TaskEvent event = job.isUnmet(index) ? TaskEvent.RESTART_TO_WAIT : TaskEvent.RESTART;
    restart(nowMillis, job, index, index + 1, event, why, out);
    JobReports.touched(job, nowMillis, out);
  }

  private void rollBack(long nowMillis, TaskArray job, Outbox out) {
    switch (job.phase.way()) {
      case RUNNING -> begin(nowMillis, job, JobPhase.Way.ROLLING_BACK, 0, out);
      case ROLLING_BACK, ROLLBACK_FAILED -> {
        if (!job.isUndoLive()) {
          undoNext(nowMillis, job, out);
        }
      }
      case ABORTING, ABORTED, RESTARTING, RESTARTED, ROLLED_BACK -> {}
    }
  }

  /** Hands out the most recently finished task to be undone; nothing more after a failure. */
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
