package dev.imker.server.loop;

import dev.imker.core.message.JobHeader;
import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.TaskLimits;
import dev.imker.server.live.LiveJob;
import dev.imker.store.JobRecord;
import dev.imker.store.RecoverySink;
import java.util.List;
import java.util.function.Function;

/**
 * Brings what is on disk into memory.
 *
 * @param ownLimits what single tasks of a job have of their own
 */
record Restoring(PoolState pool, Function<JobId, List<TaskLimits>> ownLimits)
    implements RecoverySink {
  @Override
  public void nodeProfile(NodeId node, String profileJson) {
    pool.profiles().restoreNode(node, profileJson);
  }

  @Override
  public void projectProfile(ProjectId project, String profileJson) {
    pool.profiles().restoreProject(project, profileJson);
  }

  @Override
  public void strategyMemory(String kept, String subject, String memoryJson) {
    pool.profiles().restoreMemory(kept, subject, memoryJson);
  }

  @Override
  public void job(JobRecord job, JobSpec spec) {
    List<TaskLimits> limits = ownLimits.apply(job.id());
    pool.add(
        new LiveJob(job.id(), job.project().user(), spec, job.requestKey(), job.session(), limits));
    if (job.isSettled()) {
      pool.readSettled(job.id());
    }
    JobHeader header = JobHeader.of(job.id(), job.project().user(), spec);
    pool.scheduler().recovery().job(header.withPriority(job.priority()));
    if (!limits.isEmpty()) {
      pool.scheduler().recovery().taskLimits(job.id(), limits);
    }
    if (!job.phase().isEmpty()) {
      pool.scheduler().recovery().phase(job.id(), job.phase());
    }
  }

  @Override
  public void task(TaskId task, TaskState state, int failures, int losses, int attempts) {
    pool.scheduler().recovery().task(task, state, failures, losses, attempts);
  }

  @Override
  public void done(TaskId task, long atMillis) {
    pool.scheduler().recovery().doneAt(task, atMillis);
  }

  @Override
  public void vote(TaskId task, NodeId node, AttemptReport report) {
    TaskState state = pool.scheduler().view().state(task);
    if (state != null && !state.isSettled()) {
      pool.scheduler().recovery().vote(task, node, report);
    }
  }

  @Override
  public void doubt(TaskId task, NodeId node) {
    pool.scheduler().recovery().doubt(task, node);
  }

  @Override
  public void lease(
      Lease lease, AgentId agent, NodeId node, int attempt, long startedMillis, Granted granted) {
    pool.scheduler().recovery().lease(lease, agent, node, attempt, startedMillis, granted);
  }
}
