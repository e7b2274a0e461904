package dev.imker.core.internal.leases;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.tasks.Avoidance;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.Suspicion;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.TaskEvent;
import dev.imker.model.change.AttemptReport;
import java.time.Duration;
import java.util.List;

/** What an attempt that ended without a result counts for: for its task, and for its node. */
record Failures(SchedulerSettings settings, AgentTable agents, PoolProfile profiles) {
  private static final int MIN_UNDO_ATTEMPTS = 3;

  /**
   * How long a task is kept from a node that could not start it, while others may come back: after
   * a fail-over or a restart machines connect one by one.
   */
  private static final long UNFIT_MILLIS = Duration.ofSeconds(20).toMillis();

  void count(long nowMillis, LiveAttempt attempt, RunningTask task, AttemptReport report) {
    TaskArray job = task.job;
    AgentSlots agent = AgentSlots.of(attempt);
    ProjectProfile project = job.project();
    long runMillis = attempt.runMillis(nowMillis, report);
    if (isShortage(attempt, task, report)) {
      job.shortages().increment(task.index);
      job.otherAttempts().increment(task.index);
      project.onMemoryPeak(task.stage.header().program(), 2 * attempt.grant.told().of("memory"));
      profiles.onWithdrawn(nowMillis, agent.profile(), project, runMillis);
      return;
    }
    switch (report.outcome()) {
      case FAILED -> {
        job.failures().increment(task.index);
        job.failedNodes()
            .avoid(task.index, new Avoidance(agent.profile(), nowMillis + settings.avoidMillis()));
        attempt.unfitAgain = job.failedNodes().couldNotStart(task.index, agent.profile());
        job.failedNodes()
            .suspect(
                task.index,
                agent.profile(),
                runMillis,
                report.couldNotStart() ? nowMillis + UNFIT_MILLIS : 0);
        profiles.onTaskFailed(nowMillis, agent.profile(), project, runMillis);
      }
      case LOST -> {
        if (attempt.excused) {
          job.otherAttempts().increment(task.index);
          profiles.onWithdrawn(nowMillis, agent.profile(), project, runMillis);
        } else {
          job.losses().increment(task.index);
          profiles.onFailed(nowMillis, agent.profile(), project, runMillis);
        }
      }
      case SUCCEEDED, STOPPED, GIVEN_BACK -> {
        if (report.outcome() == AttemptOutcome.GIVEN_BACK && report.startedMillis() == 0) {
          agent.forgetMean(project.index());
        }
        job.otherAttempts().increment(task.index);
        profiles.onWithdrawn(nowMillis, agent.profile(), project, runMillis);
      }
    }
  }

  TaskEvent eventAfter(
      long nowMillis, LiveAttempt attempt, RunningTask task, AttemptReport report) {
    TaskArray job = task.job;
    if (isShortage(attempt, task, report) && !attempt.overLimit) {
      return TaskEvent.GIVEN_BACK;
    }
    if (attempt.hopeless
        || isOverLimit(attempt, task, report)
        || (report.couldNotStart() && !mayStartElsewhere(nowMillis, attempt, task))) {
      return TaskEvent.FAILED_FOR_GOOD;
    }
    if (job.failures().get(task.index) >= maxFailures(task)) {
      return TaskEvent.FAILED_TOO_OFTEN;
    }
    if (job.losses().get(task.index) >= settings.maxLosses()) {
      return TaskEvent.LOST_TOO_OFTEN;
    }
    return switch (report.outcome()) {
      case FAILED -> TaskEvent.ATTEMPT_FAILED;
      case LOST -> TaskEvent.LEASE_LOST;
      case SUCCEEDED, STOPPED, GIVEN_BACK ->
          attempt.undelivered ? TaskEvent.PAUSE : TaskEvent.GIVEN_BACK;
    };
  }

  /** Whether the pool gave it too little memory, and there is a machine with more. */
  private boolean isShortage(LiveAttempt attempt, RunningTask task, AttemptReport report) {
    return report.outOfMemory()
        && report.outcome() == AttemptOutcome.FAILED
        && task.stage.header().needs().leavesMemoryToPool()
        && attempt.grant.told().of("memory") < agents.largestMemoryBytes();
  }

  /**
   * Whether there is a node that fits and was not found to lack the program, or one that may come
   * back; that one is waited for once.
   */
  private boolean mayStartElsewhere(long nowMillis, LiveAttempt attempt, RunningTask task) {
    List<NodeProfile> lacking = task.job.failedNodes().suspects(task.index);
    return agents.hasNodeBesides(lacking, task.job.requirementClass(task.index))
        || (!attempt.unfitAgain && profiles.mayReturn(lacking, nowMillis - UNFIT_MILLIS));
  }

  /** A single failure must not leave a job half undone. */
  private static int maxFailures(RunningTask task) {
    int max = task.job.maxFailures(task.index);
    return task.job.isUndoing() ? Math.max(max, MIN_UNDO_ATTEMPTS) : max;
  }

  /** Agents watch the limit as well, and may be the first to notice. */
  private static boolean isOverLimit(LiveAttempt attempt, RunningTask task, AttemptReport report) {
    long most = task.job.maxRuntimeMillis(task.index);
    boolean ranOut =
        report.outcome() == AttemptOutcome.FAILED || report.outcome() == AttemptOutcome.STOPPED;
    return attempt.overLimit
        || (ranOut && most > 0 && report.startedMillis() > 0 && report.runMillis() >= most);
  }

  /** If one node succeeds, the earlier failures were the fault of their nodes. */
  void blame(RunningTask task, NodeProfile succeeded) {
    for (Suspicion suspicion : task.job.failedNodes().takeSuspicions(task.index)) {
      if (suspicion.node() != succeeded) {
        profiles.onFault(suspicion.node(), suspicion.runMillis());
      }
    }
  }
}
