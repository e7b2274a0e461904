package dev.imker.core;

import dev.imker.model.JobId;
import dev.imker.model.JobSpec;
import dev.imker.model.ProjectId;
import dev.imker.model.Requirements;
import dev.imker.model.Stage;

/**
 * The part of a job that scheduling needs.
 *
 * @param priority 0 to 9, larger first
 * @param maxFailures failed attempts after which a task is held back
 * @param maxRuntimeMillis of one attempt; 0 means no limit
 * @param redundant whether copies of its running tasks may be handed out
 */
public record JobHeader(
    JobId id,
    ProjectId project,
    int taskCount,
    Requirements needs,
    int priority,
    int maxFailures,
    long maxRuntimeMillis,
    boolean redundant) {
  public static final int PRIORITIES = 10;

  public JobHeader {
    if (taskCount <= 0 || taskCount > JobSpec.MAX_TASKS) {
      throw new IllegalArgumentException("job " + id + " with " + taskCount + " tasks");
    }
    checkPriority(priority);
    if (maxFailures <= 0) {
      throw new IllegalArgumentException("maxFailures must be positive, not " + maxFailures);
    }
  }

  public static JobHeader of(JobId id, String user, JobSpec spec) {
    Stage first = spec.stages().getFirst();
    return new JobHeader(
        id,
        new ProjectId(user, spec.project()),
        Math.toIntExact(spec.taskCount()),
        first.needs(),
        spec.priority(),
        first.rules().maxFailures(),
        first.rules().maxRuntimeMillis(),
        first.rules().redundant());
  }

  JobHeader withPriority(int value) {
    return new JobHeader(
        id, project, taskCount, needs, value, maxFailures, maxRuntimeMillis, redundant);
  }

  static void checkPriority(int priority) {
    if (priority < 0 || priority >= PRIORITIES) {
      throw new IllegalArgumentException("priority must be 0 to 9, not " + priority);
    }
  }
}
