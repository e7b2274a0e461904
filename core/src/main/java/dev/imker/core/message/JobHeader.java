package dev.imker.core.message;

import dev.imker.model.JobId;
import dev.imker.model.ProjectId;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.TaskRules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The part of a job that scheduling needs.
 *
 * @param priority 0 to 9, larger first
 */
public record JobHeader(
    JobId id, ProjectId project, int priority, List<StageHeader> stages, OnFailure onFailure) {
  public static final int PRIORITIES = 10;

  public JobHeader {
    stages = List.copyOf(stages);
    long tasks = 0;
    for (StageHeader stage : stages) {
      tasks += stage.taskCount();
    }
    if (tasks <= 0 || tasks > JobSpec.MAX_TASKS) {
      throw new IllegalArgumentException("job " + id + " with " + tasks + " tasks");
    }
    checkPriority(priority);
    for (StageHeader stage : stages) {
      stage.checkAfter(stages);
    }
  }

  /**
   * A job of one stage without predecessors.
   *
   * @param maxFailures failed attempts after which a task is held back
   * @param maxRuntimeMillis of one attempt; 0 means no limit
   * @param speculative whether copies of its running tasks may be handed out
   */
  public JobHeader(
      JobId id,
      ProjectId project,
      int taskCount,
      Requirements needs,
      int priority,
      int maxFailures,
      long maxRuntimeMillis,
      boolean speculative) {
    this(
        id,
        project,
        priority,
        List.of(
            new StageHeader(
                taskCount,
                needs,
                TaskRules.USUAL
                    .withLimits(maxFailures, maxRuntimeMillis)
                    .withSpeculative(speculative),
                List.of())),
        OnFailure.CARRY_ON);
  }

  public static JobHeader of(JobId id, String user, JobSpec spec) {
    return of(id, user, spec, StageHeader.of(spec));
  }

  /** The same for one whose stages were looked at before. */
  public static JobHeader of(JobId id, String user, JobSpec spec, List<StageHeader> stages) {
    return new JobHeader(
        id, new ProjectId(user, spec.project()), spec.priority(), stages, spec.onFailure());
  }

  public int taskCount() {
    int count = 0;
    for (StageHeader stage : stages) {
      count += stage.taskCount();
    }
    return count;
  }

  /** Whether any of its tasks waits for another. */
  public boolean hasDependencies() {
    return stages.stream().anyMatch(stage -> !stage.after().isEmpty());
  }

  /** Other jobs whose tasks these stages wait for. */
  public static Set<JobId> before(List<StageHeader> stages) {
    Set<JobId> jobs = new LinkedHashSet<>();
    for (StageHeader stage : stages) {
      for (Dependency dependency : stage.after()) {
        if (dependency instanceof Dependency.Tasks tasks) {
          tasks.tasks().forEach(range -> jobs.add(range.job()));
        }
      }
    }
    return jobs;
  }

  public JobHeader withPriority(int value) {
    return new JobHeader(id, project, value, stages, onFailure);
  }

  public static boolean isPriority(int priority) {
    return priority >= 0 && priority < PRIORITIES;
  }

  private static void checkPriority(int priority) {
    if (!isPriority(priority)) {
      throw new IllegalArgumentException("priority must be 0 to 9, not " + priority);
    }
  }
}
