package dev.imker.store;

import dev.imker.model.JobId;
import dev.imker.model.JobSpec;
import dev.imker.model.TaskId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Queries of committed state; usable from any thread, also while a commit is going on. */
public interface Reads {
  Optional<JobRecord> job(JobId id);

  Optional<JobSpec> spec(JobId id);

  /** The newest job of this name. */
  Optional<JobRecord> newestByName(String name);

  /** The job that was submitted with this idempotency key. */
  Optional<JobRecord> byRequestKey(String requestKey);

  /**
   * Jobs, newest first.
   *
   * @param before only jobs older than this one, or null to start with the newest
   */
  List<JobRecord> jobs(JobFilter filter, @Nullable JobId before, int limit);

  /** Different names among the newest jobs, newest first. */
  List<String> recentNames(int limit);

  /** The task, unless it is still in its initial state or does not exist; with inline output. */
  Optional<TaskRecord> task(TaskId id);

  /** Tasks of a job that left their initial state. */
  List<TaskRecord> tasks(TaskQuery query);

  /**
   * Every attempt of a task in the order of their tokens: those that ended without settling it, and
   * the one that settled it, and those that run.
   */
  List<AttemptRecord> attempts(TaskId id);

  /** All nodes in the order they first came. */
  List<NodeRecord> nodes();

  /** Comings and goings of nodes since a time, oldest first. */
  List<AvailabilityRecord> availability(long sinceMillis);

  /** The runs that settled tasks of a job, in the order of the tasks. */
  List<RunRecord> runs(JobId job, int limit);

  /** Counts of the tasks of all settled jobs, indexed by the ordinal of TaskState. */
  long[] settledTaskCounts();
}
