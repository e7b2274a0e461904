package dev.imker.core;

import dev.imker.core.profile.PoolProfile;
import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jobs in memory, in the order of their submission. */
final class JobTable {
  private final Map<JobId, TaskArray> byId = new LinkedHashMap<>();
  private final RequirementClasses classes;
  private final AgentTable agents;
  private final ReadyWork ready;
  private final PoolProfile profiles;

  JobTable(RequirementClasses classes, AgentTable agents, ReadyWork ready, PoolProfile profiles) {
    this.classes = classes;
    this.agents = agents;
    this.ready = ready;
    this.profiles = profiles;
  }

  @Nullable TaskArray get(JobId id) {
    return byId.get(id);
  }

  Collection<TaskArray> all() {
    return byId.values();
  }

  /** Adds a job whose tasks are all in the initial state; {@link #open} makes them live. */
  TaskArray add(JobHeader header, TaskState initial) {
    int known = classes.size();
    int number = classes.number(header.needs());
    if (number == known) {
      agents.regroup(number);
    }
    TaskArray job = new TaskArray(header, ready.project(header.project()), number, initial);
    if (byId.putIfAbsent(header.id(), job) != null) {
      throw new IllegalArgumentException("job " + header.id() + " is already there");
    }
    return job;
  }

  /** Counts the job's tasks and queues those that are READY. */
  void open(TaskArray job) {
    job.settledTold(job.isSettled());
    // The profile of a project whose tasks are all settled begins anew, so the live ones go first.
    addToProfile(job, false);
    addToProfile(job, true);
    int from = 0;
    while (from < job.size()) {
      TaskState state = job.state(from);
      int end = job.endOfRun(from, job.size());
      if (state == TaskState.READY) {
        ready.append(job, from, end);
      }
      from = end;
    }
  }

  /** Drops a settled job. */
  void remove(TaskArray job) {
    byId.remove(job.id());
  }

  private void addToProfile(TaskArray job, boolean settled) {
    for (TaskState state : TaskState.values()) {
      if (state.isSettled() == settled && job.count(state) > 0) {
        profiles.onTasksAdded(job.project().profile(), state, job.count(state));
      }
    }
  }
}
