package dev.imker.core.internal.steps;

import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.profile.PoolProfile;
import dev.imker.model.TaskEvent;
import dev.imker.model.TaskLifeCycle;
import dev.imker.model.TaskState;
import dev.imker.model.job.OnFailure;
import java.util.LinkedHashSet;
import java.util.Set;

/** The only place where tasks change their state: keeps counts, queues and profiles in step. */
public final class TaskSteps {
  private final ReadyWork ready;
  private final PoolProfile profiles;
  private final Set<TaskArray> failedJobs = new LinkedHashSet<>();
  private final Consequences consequences;
  private StepListener listener = (from, event, to) -> {};

  /**
   * @param tasksPerTurn how many tasks change in one turn because of others
   */
  public TaskSteps(ReadyWork ready, PoolProfile profiles, int tasksPerTurn) {
    this.ready = ready;
    this.profiles = profiles;
    this.consequences = new Consequences(this, tasksPerTurn);
  }

  /**
   * Jobs whose phase has to change because one of their tasks failed; to be emptied by the reader.
   */
  public Set<TaskArray> failedJobs() {
    return failedJobs;
  }

  public Consequences consequences() {
    return consequences;
  }

  public void listener(StepListener value) {
    listener = value;
  }

  /** Takes a READY task out of its queue, to be assigned. */
  public void withdraw(TaskArray job, int index) {
    ready.remove(job, index, index + 1);
  }

  /** READY tasks of a stage ask for other amounts now. */
  public void requeue(TaskArray job, StageTasks stage) {
    ready.requeue(job, stage);
  }

  public TaskState take(TaskArray job, int index, TaskEvent event) {
    return take(job, index, index + 1, event);
  }

  /**
   * Applies a step to a range of tasks in the same state. An assigned task has already left its
   * queue.
   *
   * @throws IllegalStateException if the life cycle does not have that step
   */
  public TaskState take(TaskArray job, int from, int toExclusive, TaskEvent event) {
    TaskState before = job.state(from);
    TaskState after = TaskLifeCycle.next(before, event);
    if (after == null) {
      throw new IllegalStateException(job.task(from) + " is " + before + ": no " + event);
    }
    if (before == TaskState.READY && event != TaskEvent.ASSIGN) {
      ready.remove(job, from, toExclusive);
    }
    if (before == TaskState.DONE) {
      job.reopen(from, toExclusive, after);
    } else {
      job.fill(from, toExclusive, before, after);
    }
    profiles.onTasksMoved(job.project(), before, after, toExclusive - from);
    if (before == TaskState.RUNNING) {
      ready.ran(job, job.stage(from), from - toExclusive);
    }
    if (after == TaskState.RUNNING) {
      ready.ran(job, job.stage(from), toExclusive - from);
    }
    if (after == TaskState.READY) {
      ready.append(job, from, toExclusive);
    }
    if (before.isSettled() != after.isSettled()) {
      int tasks = toExclusive - from;
      job.user().lives(after.isSettled() ? -tasks : tasks);
    }
    boolean failed = after == TaskState.FAILED || after == TaskState.AUTO_BLOCKED;
    if (failed && job.header().onFailure().way() != OnFailure.Way.CARRY_ON) {
      failedJobs.add(job);
    }
    listener.stepped(before, event, after);
    if (job.graph() != null || job.dependants != null) {
      consequences.moved(job, from, toExclusive, before, after);
    }
    return after;
  }
}
