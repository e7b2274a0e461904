package dev.imker.server.live;

import dev.imker.model.JobId;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageIndex;
import dev.imker.model.job.TaskLimits;
import dev.imker.model.job.TaskRules;
import java.util.ArrayList;
import java.util.List;

/**
 * What the server remembers of a job in the scheduler's memory.
 *
 * @param session of the program that submitted it, or empty
 * @param limits what single tasks have of their own
 * @param edition grows whenever limits of the job are changed
 */
public record LiveJob(
    JobId id,
    String user,
    JobSpec spec,
    String requestKey,
    String session,
    StageIndex stages,
    List<TaskLimits> limits,
    int edition) {
  public LiveJob(
      JobId id,
      String user,
      JobSpec spec,
      String requestKey,
      String session,
      List<TaskLimits> limits) {
    this(id, user, spec, requestKey, session, StageIndex.of(spec), limits, 0);
  }

  public LiveJob changed(JobSpec next) {
    return new LiveJob(
        id, user, next, requestKey, session, StageIndex.of(next), limits, edition + 1);
  }

  /** The job with changed limits of single tasks. */
  public LiveJob limited(List<TaskLimits> next) {
    return new LiveJob(id, user, spec, requestKey, session, stages, next, edition + 1);
  }

  /**
   * The job as agents are told of a stage: with the longest time that any of its tasks has. The
   * server watches the time of each one.
   */
  public JobSpec specForAgents(int stage) {
    if (limits.isEmpty()) {
      return spec;
    }
    List<Stage> all = new ArrayList<>(spec.stages());
    TaskRules rules = all.get(stage).rules();
    long longest = rules.maxRuntimeMillis();
    for (TaskLimits own : limits) {
      Long time = own.maxRuntimeMillis();
      if (time != null && longest != 0) {
        longest = time == 0 ? 0 : Math.max(longest, time);
      }
    }
    all.set(stage, all.get(stage).withRules(rules.withLimits(rules.maxFailures(), longest)));
    return spec.withStages(all);
  }
}
