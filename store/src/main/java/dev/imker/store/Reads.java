package dev.imker.store;

import dev.imker.model.BlobId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.job.JobSpec;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Queries of committed state; usable from any thread, even during a commit. */
public interface Reads {
  Optional<JobRecord> job(JobId id);

  Optional<JobSpec> spec(JobId id);

  Optional<JobRecord> newestByName(String name);

  /** The newest job of this name among those of a user. */
  Optional<JobRecord> newestByName(String name, String user);

  /**
   * Jobs whose specification contains both texts as whole JSON strings; newest first.
   *
   * @param user whose jobs, or null for those of all
   */
  List<JobRecord> specifiedWith(String text, String other, @Nullable String user, int limit);

  /** The job that was submitted with this idempotency key. */
  Optional<JobRecord> byRequestKey(String requestKey);

  /**
   * Jobs, newest first.
   *
   * @param before only jobs older than this one, or null to start with the newest
   */
  List<JobRecord> jobs(JobFilter filter, @Nullable JobId before, int limit);

  /**
   * Jobs in an order.
   *
   * @param after end of the previous page, or null to start
   */
  List<JobRecord> jobs(JobFilter filter, JobOrder order, JobOrder.@Nullable Place after, int limit);

  /** Distinct names among the newest jobs, newest first. */
  List<String> recentNames(int limit);

  /** The same among the jobs of a user. */
  List<String> recentNames(int limit, String user);

  /** The task with inline output; empty if it is in its initial state or does not exist. */
  Optional<TaskRecord> task(TaskId id);

  /** Tasks of a job that left their initial state. */
  List<TaskRecord> tasks(TaskQuery query);

  /** Those of these tasks that left their initial state, in the order of their positions. */
  List<TaskRecord> tasks(JobId job, Collection<Integer> indexes, boolean withOutput);

  /** How many of the tasks in state FAILED have run; the others never could. */
  int failedThatRan(JobId job);

  /** Passes on the figures of all tasks of a job that left their initial state, in order. */
  void forEachTask(JobId job, TaskFigures action);

  /** Passes on where and when all attempts of a job ran; those that count come first. */
  void forEachAttempt(JobId job, TaskFigures.OfAttempts action);

  /**
   * Every attempt of a task in the order of their tokens: those that ended without settling it, and
   * the one that settled it, and those that run.
   */
  List<AttemptRecord> attempts(TaskId id);

  /**
   * The granted amounts of the attempts of a task, by the values of their tokens; missing ones had
   * {@link Granted#ONE_CORE}.
   */
  Map<Long, Granted> granted(TaskId id);

  /** All nodes in order of first appearance. */
  List<NodeRecord> nodes();

  /** Arrivals and departures of nodes since a time, oldest first. */
  List<AvailabilityRecord> availability(long sinceMillis);

  /** The runs that settled tasks of a job, in the order of the tasks. */
  List<RunRecord> runs(JobId job, int limit);

  /**
   * Results of a node that no other node has confirmed, of jobs that are open or settled since a
   * moment, the newest first.
   */
  List<TaskId> unconfirmed(NodeId node, long sinceMillis, int limit);

  /** Counts of the tasks of all settled jobs, indexed by the ordinal of TaskState. */
  long[] settledTaskCounts();

  /** The same for the jobs of one user. */
  long[] settledTaskCounts(String user);

  /**
   * Jobs that settled before the given time, the earliest first.
   *
   * @param user only those of one, or null for all
   */
  List<JobRecord> settledBefore(long millis, @Nullable String user, int limit);

  /** Passes on every file related to a job: its inputs, results and captured output. */
  void forEachBlob(JobId job, BiConsumer<BlobId, Long> action);

  /** The approximate size of a job with its tasks in the database, in bytes. */
  long rowBytes(JobId job);
}
