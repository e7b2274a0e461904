package dev.imker.server.loop;

import dev.imker.core.Outbox;
import dev.imker.core.Scheduler;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.server.loop.JobCommands.Action;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Does the same with all tasks of a job that are in certain states. */
public final class BulkCommands {
  private final SchedulerLoop loop;

  public BulkCommands(SchedulerLoop loop) {
    this.loop = loop;
  }

  /** How many tasks of a job are in these states; 0 if there is no such job. */
  public CompletableFuture<Integer> count(JobId job, Set<TaskState> states) {
    return loop.change(
        (pool, nowMillis, out) ->
            pool.recall(job, nowMillis) ? sum(pool.counts(job), states, true) : 0);
  }

  /** As {@link #count(JobId, Set)}, among the tasks with these indexes only. */
  public CompletableFuture<Integer> count(
      JobId job, Set<TaskState> states, int from, int toExclusive) {
    return loop.change(
        (pool, nowMillis, out) -> {
          int count = 0;
          if (pool.recall(job, nowMillis)) {
            for (int i = from; i < toExclusive; i++) {
              TaskState state = pool.scheduler().view().state(new TaskId(job, i));
              count += state != null && states.contains(state) ? 1 : 0;
            }
          }
          return count;
        });
  }

  /**
   * Applies an action to the tasks in these states; returns how many took it. If the job has no
   * other open tasks it is done in one step, else its tasks are looked at one by one.
   */
  public CompletableFuture<Integer> act(Action action, JobId job, Set<TaskState> states) {
    return act(action, job, states, 0, Integer.MAX_VALUE);
  }

  /** As {@link #act(Action, JobId, Set)}, for the tasks with these indexes only. */
  public CompletableFuture<Integer> act(
      Action action, JobId job, Set<TaskState> states, int from, int toExclusive) {
    return loop.change(
        (pool, nowMillis, out) -> {
          if (!pool.recall(job, nowMillis)) {
            return 0;
          }
          pool.recallBefore(job, nowMillis);
          int[] counts = pool.counts(job);
          if (counts == null || sum(counts, states, true) == 0) {
            return 0;
          }
          return new Step(pool.scheduler(), action, job, states, nowMillis, out)
              .run(counts, from, toExclusive);
        });
  }

  private static int sum(
      int @org.jspecify.annotations.Nullable [] counts, Set<TaskState> states, boolean inside) {
    int sum = 0;
    for (TaskState state : TaskState.values()) {
      if (counts != null && states.contains(state) == inside) {
        sum += counts[state.ordinal()];
      }
    }
    return sum;
  }

  /** One job's part of the work, on the loop's thread. */
  private record Step(
      Scheduler scheduler,
      Action action,
      JobId job,
      Set<TaskState> states,
      long nowMillis,
      Outbox out) {
    int run(int[] counts, int from, int toExclusive) {
      int tasks = 0;
      for (int count : counts) {
        tasks += count;
      }
      int end = Math.min(tasks, toExclusive);
      int others = sum(counts, states, false) - counts[TaskState.DONE.ordinal()];
      return others == 0 ? act(from, end) : actOnRuns(from, end);
    }

    /** States are read before anything changes: an action may move tasks behind the next run. */
    private int actOnRuns(int from, int end) {
      boolean[] wanted = new boolean[Math.max(0, end - from)];
      for (int i = from; i < end; i++) {
        TaskState state = scheduler.view().state(new TaskId(job, i));
        wanted[i - from] = state != null && states.contains(state);
      }
      int changed = 0;
      int start = -1;
      for (int i = from; i <= end; i++) {
        boolean isWanted = i < end && wanted[i - from];
        if (isWanted && start < 0) {
          start = i;
        } else if (!isWanted && start >= 0) {
          changed += act(start, i);
          start = -1;
        }
      }
      return changed;
    }

    private int act(int from, int to) {
      return switch (action) {
        case CANCEL -> scheduler.onCancel(nowMillis, job, from, to, out);
        case BLOCK -> scheduler.onBlock(nowMillis, job, from, to, out);
        case RELEASE -> scheduler.onRelease(nowMillis, job, from, to, out);
      };
    }
  }
}
