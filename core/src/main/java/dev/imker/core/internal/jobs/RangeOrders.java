package dev.imker.core.internal.jobs;

import dev.imker.core.internal.leases.Attempts;
import dev.imker.core.internal.steps.Consequences;
import dev.imker.core.internal.steps.JobReports;
import dev.imker.core.internal.steps.TaskSteps;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.message.Outbox;
import dev.imker.model.TaskEvent;
import dev.imker.model.TaskLifeCycle;
import dev.imker.model.TaskState;

/**
 * Orders that concern many tasks of a job. Neighbours in the same state with the same counts are
 * taken together: a million READY tasks are cancelled in one step, by one change.
 */
public record RangeOrders(TaskSteps steps, Attempts attempts) {
  /** Applies the event to those of the tasks that it is allowed for; returns how many. */
  public int apply(
      long nowMillis, TaskArray job, int from, int toExclusive, Order order, Outbox out) {
    int first = Math.max(0, from);
    int end = Math.min(job.size(), toExclusive);
    int changed = 0;
    while (first < end) {
      int runEnd = runEnd(job, first, end, order);
      TaskEvent event = order.event(job, first);
      // Failed tasks should stay visible as failed.
      boolean spared = order == Order.ABORT && job.state(first) == TaskState.AUTO_BLOCKED;
      if (!spared && TaskLifeCycle.next(job.state(first), event) != null) {
        changed += runEnd - first;
        step(nowMillis, job, first, runEnd, event, order, out);
      }
      first = runEnd;
    }
    if (changed > 0) {
      JobReports.touched(job, nowMillis, out);
      if (order == Order.RELEASE && job.graph() != null) {
        // What still waits for something that failed goes back to where it was.
        steps.consequences().recheck(job, Math.max(0, from), end);
      }
    }
    return changed;
  }

  private void step(
      long nowMillis,
      TaskArray job,
      int from,
      int toExclusive,
      TaskEvent event,
      Order order,
      Outbox out) {
    RunningTask running = job.running(from);
    TaskState state = steps.take(job, from, toExclusive, event);
    boolean tried = job.attempts(from) > 0;
    if (tried) {
      job.ordered();
    }
    if (order.forgives() && tried) {
      for (int i = from; i < toExclusive; i++) {
        job.forgive(i);
      }
    }
    boolean toldByAttempts = running != null && running.attempts() > 0;
    if (running != null) {
      attempts.withdrawAll(nowMillis, running, order.reason(), state, out);
    }
    if (!toldByAttempts) {
      String reason = order == Order.ABORT ? order.reason() : "";
      Consequences.tell(nowMillis, job, from, toExclusive, state, reason, out);
    }
  }

  /** End of the tasks that can be taken together with the first; a RUNNING one stands alone. */
  private static int runEnd(TaskArray job, int first, int end, Order order) {
    TaskState state = job.state(first);
    if (state == TaskState.RUNNING) {
      return first + 1;
    }
    int sameState = job.endOfRun(first, end);
    boolean mayWait = order == Order.RELEASE && job.graph() != null;
    if (!job.hasCounts() && !mayWait) {
      return sameState;
    }
    int next = first + 1;
    while (next < sameState
        && (!mayWait || job.isUnmet(next) == job.isUnmet(first))
        && job.hasEqualCounts(first, next)) {
      next++;
    }
    return next;
  }
}
