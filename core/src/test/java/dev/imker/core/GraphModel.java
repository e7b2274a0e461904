package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.Dependency;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.StageHeader;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskRange;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What tasks wait for, written down one by one, and what must hold of their states at any time. */
final class GraphModel {
  private final Map<JobId, JobHeader> jobs = new HashMap<>();
  private final Map<TaskId, List<TaskId>> predecessors = new HashMap<>();
  private final Map<TaskId, List<TaskId>> haveToEnd = new HashMap<>();

  void add(JobHeader job) {
    jobs.put(job.id(), job);
    int first = 0;
    for (StageHeader stage : job.stages()) {
      for (int i = 0; i < stage.taskCount(); i++) {
        List<TaskId> before = new ArrayList<>();
        List<TaskId> toEnd = new ArrayList<>();
        for (Dependency dependency : stage.after()) {
          (isAny(dependency) ? toEnd : before).addAll(before(job, i, dependency));
        }
        predecessors.put(new TaskId(job.id(), first + i), before);
        haveToEnd.put(new TaskId(job.id(), first + i), toEnd);
      }
      first += stage.taskCount();
    }
  }

  private static boolean isAny(Dependency dependency) {
    return (dependency instanceof Dependency.All all && all.any())
        || (dependency instanceof Dependency.Tasks tasks && tasks.any());
  }

  private List<TaskId> before(JobHeader job, int indexInStage, Dependency dependency) {
    List<TaskId> before = new ArrayList<>();
    switch (dependency) {
      case Dependency.All all -> {
        for (int i = 0; i < job.stages().get(all.stage()).taskCount(); i++) {
          before.add(new TaskId(job.id(), firstOf(job, all.stage()) + i));
        }
      }
      case Dependency.Each each ->
          before.add(new TaskId(job.id(), firstOf(job, each.stage()) + indexInStage));
      case Dependency.Grouped grouped -> {
        int group = grouped.groupOfAfter()[indexInStage];
        for (int i = 0; group >= 0 && i < grouped.groupOfBefore().length; i++) {
          if (grouped.groupOfBefore()[i] == group) {
            before.add(new TaskId(job.id(), firstOf(job, grouped.stage()) + i));
          }
        }
      }
      case Dependency.Tasks tasks -> {
        for (TaskRange range : tasks.tasks()) {
          int size = Objects.requireNonNull(jobs.get(range.job())).taskCount();
          for (int i = range.from(); i < Math.min(size, range.toExclusive()); i++) {
            before.add(new TaskId(range.job(), i));
          }
        }
      }
    }
    return before;
  }

  private static int firstOf(JobHeader job, int stage) {
    return job.stages().subList(0, stage).stream().mapToInt(StageHeader::taskCount).sum();
  }

  void assertMayStart(TaskId task, Scheduler scheduler) {
    assertThat(predecessors.get(task)).allMatch(p -> scheduler.view().state(p) == TaskState.DONE);
  }

  private boolean allEnded(TaskId task, Scheduler scheduler) {
    return haveToEnd.getOrDefault(task, List.of()).stream()
        .map(scheduler.view()::state)
        .allMatch(state -> state != null && state.isSettled());
  }

  /**
   * @param failed whether a task has failed and may be pausing
   */
  void check(Scheduler scheduler, Predicate<TaskId> failed) {
    predecessors.forEach((task, before) -> check(task, before, scheduler, failed));
  }

  private void check(
      TaskId task, List<TaskId> before, Scheduler scheduler, Predicate<TaskId> failed) {
    TaskState state = scheduler.view().state(task);
    boolean allDone = before.stream().allMatch(p -> scheduler.view().state(p) == TaskState.DONE);
    boolean anyLost = before.stream().anyMatch(p -> isLost(scheduler.view().state(p)));
    String what = task + " is " + state + " after " + before;
    switch (state) {
      case READY, RUNNING, DONE -> assertThat(allDone).as(what).isTrue();
      case AUTO_BLOCKED -> {} // what it was built on may be undone meanwhile
      case WAITING ->
          assertThat((allDone && allEnded(task, scheduler) && !failed.test(task)) || anyLost)
              .as(what)
              .isFalse();
      case BLOCKED -> assertThat(anyLost).as(what).isFalse();
      case FAILED -> {
        // While a job is rolled back, what it was built on goes before it.
        boolean undoing = scheduler.view().isUndoing(task.job());
        assertThat(allDone || anyLost || undoing).as(what).isTrue();
        if (!allDone && !undoing) {
          assertThat(scheduler.view().culprit(task)).as(what).isIn(before);
        }
      }
      case CANCELLED -> {}
      case null -> throw new AssertionError("no state of " + task);
    }
  }

  private static boolean isLost(@Nullable TaskState state) {
    return state != null && state.isSettled() && state != TaskState.DONE;
  }
}
