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

/** Queries of committed state; usable from any thread, also while a commit is going on. */
public interface Reads {
  Optional<JobRecord> job(JobId id);

  Optional<JobSpec> spec(JobId id);

  Optional<JobRecord> newestByName(String name);

  /** The newest job of this name among those of a user. */
  Optional<JobRecord> newestByName(String name, String user);

  /**
   * Jobs whose specification has both texts in it, each a whole JSON string; newest first.
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
   * @param after where the page before ended, or null to start
   */
  List<JobRecord> jobs(JobFilter filter, JobOrder order, JobOrder.@Nullable Place after, int limit);

  /** Different names among the newest jobs, newest first. */
  List<String> recentNames(int limit);

  /** The same among the jobs of a user. */
  List<String> recentNames(int limit, String user);

  /** The task, unless it is still in its initial state or does not exist; with inline output. */
  Optional<TaskRecord> task(TaskId id);

  /** Tasks of a job that left their initial state. */
  List<TaskRecord> tasks(TaskQuery query);

  /** Those of these tasks that left their initial state, in the order of their positions. */
  List<TaskRecord> tasks(JobId job, Collection<Integer> indexes, boolean withOutput);

  /** How many of the tasks in the state FAILED have run; the others never could. */
  int failedThatRan(JobId job);

  /** Tells figures of all tasks of a job that left their initial state, in their order. */
  void forEachTask(JobId job, TaskFigures action);

  /** Tells of all attempts of a job where and when they ran; those that count come first. */
  void forEachAttempt(JobId job, TaskFigures.OfAttempts action);

  /**
   * Every attempt of a task in the order of their tokens: those that ended without settling it, and
   * the one that settled it, and those that run.
   */
  List<AttemptRecord> attempts(TaskId id);

  /**
   * What attempts of a task were given, by the values of their tokens; those that are not there
   * were given {@link Granted#ONE_CORE}.
   */
  Map<Long, Granted> granted(TaskId id);

  /** All nodes in the order they first came. */
  List<NodeRecord> nodes();

  /** Comings and goings of nodes since a time, oldest first. */
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
   * Jobs that settled before a moment, those that did first come first.
   *
   * @param user only those of one, or null for all
   */
  List<JobRecord> settledBefore(long millis, @Nullable String user, int limit);

  /** Tells every file that a job has to do with: its inputs, its results, its captured output. */
  void forEachBlob(JobId job, BiConsumer<BlobId, Long> action);

  /** About how many bytes of the database a job takes with its tasks. */
  long rowBytes(JobId job);
}
