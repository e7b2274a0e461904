package dev.imker.core;

import dev.imker.model.TaskEvent;
import dev.imker.model.TaskLifeCycle;
import dev.imker.model.TaskState;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;

/**
 * Orders that concern many tasks of a job. Neighbours in the same state with the same counts are
 * taken together: a million READY tasks are cancelled in one step, by one change.
 */
final class RangeOrders {
  private final TaskSteps steps;
  private final Attempts attempts;

  RangeOrders(TaskSteps steps, Attempts attempts) {
    this.steps = steps;
    this.attempts = attempts;
  }

  /** Applies the event to those of the tasks that it is allowed for; returns how many. */
  int apply(long nowMillis, TaskArray job, int from, int toExclusive, Order order, Outbox out) {
    int first = Math.max(0, from);
    int end = Math.min(job.size(), toExclusive);
    int changed = 0;
    while (first < end) {
      int runEnd = runEnd(job, first, end);
      TaskEvent event = order.event(job, first);
      if (event != null && TaskLifeCycle.next(job.state(first), event) != null) {
        changed += runEnd - first;
        step(nowMillis, job, first, runEnd, event, order, out);
      }
      first = runEnd;
    }
    if (changed > 0) {
      JobReports.touched(job, nowMillis, out);
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
    if (order.forgives() && job.attempts(from) > 0) {
      for (int i = from; i < toExclusive; i++) {
        job.forgive(i);
      }
    }
    boolean toldByAttempts = running != null && running.attempts() > 0;
    if (running != null) {
      attempts.withdrawAll(nowMillis, running, order.reason(), state, out);
    }
    if (!toldByAttempts) {
      tell(nowMillis, job, from, toExclusive, state, out);
    }
  }

  private static void tell(
      long nowMillis, TaskArray job, int from, int toExclusive, TaskState state, Outbox out) {
    int failures = job.failures().get(from);
    int losses = job.losses().get(from);
    out.change(
        toExclusive - from == 1
            ? new TaskChanged(job.task(from), state, failures, losses, nowMillis)
            : new TasksChanged(job.id(), from, toExclusive, state, failures, losses, nowMillis));
  }

  /** End of the tasks that can be taken together with the first; a RUNNING one stands alone. */
  private static int runEnd(TaskArray job, int first, int end) {
    TaskState state = job.state(first);
    if (state == TaskState.RUNNING) {
      return first + 1;
    }
    int sameState = job.endOfRun(first, end);
    if (!job.hasCounts() && job.unmet().isEmpty()) {
      return sameState;
    }
    int next = first + 1;
    while (next < sameState
        && job.unmet().get(next) == job.unmet().get(first)
        && job.hasEqualCounts(first, next)) {
      next++;
    }
    return next;
  }
}
