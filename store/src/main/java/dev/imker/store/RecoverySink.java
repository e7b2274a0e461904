package dev.imker.store;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.JobSpec;

/**
 * Receives the live state when a server starts. Profiles come first; a job comes before its tasks
 * and a task before its leases; jobs come in the order of their ids and tasks in the order of their
 * positions.
 */
public interface RecoverySink {
  /** The latest stored profile of a node. */
  default void nodeProfile(NodeId node, String profileJson) {}

  /** The latest stored profile of a project. */
  default void projectProfile(ProjectId project, String profileJson) {}

  /** What a strategy has learnt about a subject. */
  default void strategyMemory(String strategy, String subject, String memoryJson) {}

  void job(JobRecord job, JobSpec spec);

  /**
   * A task with a history; other tasks are still in their initial state. {@code attempts} is the
   * number of the last attempt that started.
   */
  void task(TaskId task, TaskState state, int failures, int losses, int attempts);

  /** When a DONE task became DONE. */
  default void done(TaskId task, long atMillis) {}

  /**
   * A success that did not settle its task, which needs several equal ones; in order of arrival.
   */
  default void vote(TaskId task, NodeId node, AttemptReport report) {}

  /** A success that is no longer trusted: its task has to be executed on another node. */
  default void doubt(TaskId task, NodeId node) {}

  /** An attempt that has not ended as far as known; a RUNNING task has one or more. */
  void lease(
      Lease lease, AgentId agent, NodeId node, int attempt, long startedMillis, Granted granted);
}
