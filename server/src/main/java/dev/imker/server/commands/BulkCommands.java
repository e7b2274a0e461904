package dev.imker.server.commands;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.server.commands.JobCommands.Action;
import dev.imker.server.loop.SchedulerLoop;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Applies an action to all tasks of a job in certain states.
 *
 * @param tasksPerStep how many tasks an order changes in one turn
 */
public record BulkCommands(SchedulerLoop loop, int tasksPerStep) {
  public BulkCommands(SchedulerLoop loop) {
    this(loop, RangeAction.TASKS_PER_STEP);
  }

  /** How many tasks of a job are in these states; 0 if there is no such job. */
  public CompletableFuture<Integer> count(JobId job, Set<TaskState> states) {
    return loop.change(
        (pool, nowMillis, out) -> pool.recall(job, nowMillis) ? sum(pool.counts(job), states) : 0);
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
   * Applies an action to the tasks in these states; returns how many took it. If they are many,
   * others are served in between.
   */
  public CompletableFuture<Integer> act(Action action, JobId job, Set<TaskState> states) {
    return act(action, job, states, 0, Integer.MAX_VALUE);
  }

  /** As {@link #act(Action, JobId, Set)}, for the tasks with these indexes only. */
  public CompletableFuture<Integer> act(
      Action action, JobId job, Set<TaskState> states, int from, int toExclusive) {
    RangeAction steps = new RangeAction(action, job, from, toExclusive, states, tasksPerStep);
    return loop.changeInSteps(
        (pool, nowMillis, out) ->
            steps.isBegun() || pool.recall(job, nowMillis)
                ? steps.step(pool, nowMillis, out)
                : Integer.valueOf(0));
  }

  private static int sum(int @org.jspecify.annotations.Nullable [] counts, Set<TaskState> states) {
    int sum = 0;
    for (TaskState state : TaskState.values()) {
      if (counts != null && states.contains(state)) {
        sum += counts[state.ordinal()];
      }
    }
    return sum;
  }
}
