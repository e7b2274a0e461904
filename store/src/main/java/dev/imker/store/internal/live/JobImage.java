package dev.imker.store.internal.live;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.StageGraph;
import dev.imker.store.JobRecord;
import dev.imker.store.RecoverySink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The recovery data of one job. There may be many tasks, so the content of their rows is kept as
 * numbers, up to the last position with a row.
 */
public final class JobImage {
  private static final TaskState[] STATES = TaskState.values();

  /** An attempt that has not ended, as far as is known. */
  record OpenLease(
      LeaseToken token,
      int number,
      AgentId agent,
      NodeId node,
      long leasedMillis,
      Granted granted) {}

  /** A success that did not settle its task. */
  record Success(LeaseToken token, int index, NodeId node, @Nullable AttemptReport report) {}

  private JobRecord record;
  private JobSpec spec;
  private String limits;
  private Set<JobId> before;
  private boolean votes;

  /** One more than the position of a task's state, 0 without a row. */
  private byte[] states = {};

  private int[] failures = {};
  private int[] losses = {};
  private int[] attempts = {};
  private long[] changedMillis = {};
  private final BitSet doubted = new BitSet();
  private final TreeMap<Integer, List<OpenLease>> leases = new TreeMap<>();
  private final TreeMap<Integer, List<Success>> successes = new TreeMap<>();

  /**
   * @param limits the stored limits of single tasks; may be empty
   */
  JobImage(JobRecord record, JobSpec spec, String limits) {
    this.record = record;
    this.spec = spec;
    this.limits = limits;
    before = StageGraph.jobsBefore(spec);
    votes = needsVotes(spec);
  }

  /** Applies newer data of the job as a whole; false if the tasks have to be read again as well. */
  boolean adopt(JobImage newer) {
    boolean enough = votes || !newer.votes;
    record = newer.record;
    spec = newer.spec;
    limits = newer.limits;
    before = newer.before;
    votes = newer.votes;
    return enough;
  }

  private static boolean needsVotes(JobSpec spec) {
    return spec.stages().stream().anyMatch(stage -> stage.rules().quorum() != 1);
  }

  JobRecord record() {
    return record;
  }

  String limits() {
    return limits;
  }

  /** Jobs for whose tasks those of this one wait. */
  Set<JobId> before() {
    return before;
  }

  boolean votes() {
    return votes;
  }

  /** Drops the data of tasks. */
  void clear(int from, int last) {
    int end = Math.min(last, states.length - 1);
    if (from <= end) {
      Arrays.fill(states, from, end + 1, (byte) 0);
    }
    doubted.clear(from, Math.max(from, Math.min(last + 1, doubted.length())));
    leases.subMap(from, true, last, true).clear();
    successes.subMap(from, true, last, true).clear();
  }

  void task(
      int index, TaskState state, int failed, int lost, int started, long atMillis, boolean doubt) {
    ensure(index);
    states[index] = (byte) (state.ordinal() + 1);
    failures[index] = failed;
    losses[index] = lost;
    attempts[index] = started;
    changedMillis[index] = atMillis;
    doubted.set(index, doubt);
  }

  void lease(int index, OpenLease lease) {
    leases.computeIfAbsent(index, _ -> new ArrayList<>(1)).add(lease);
  }

  void success(Success success) {
    successes.computeIfAbsent(success.index, _ -> new ArrayList<>(2)).add(success);
  }

  /** The first task from a position on whose result is not trusted, or -1. */
  int nextDoubted(int from) {
    return doubted.nextSetBit(from);
  }

  private void ensure(int index) {
    if (index >= states.length) {
      int size = Math.max(index + 1, Math.min(record.taskCount(), states.length * 3 / 2 + 16));
      states = Arrays.copyOf(states, size);
      failures = Arrays.copyOf(failures, size);
      losses = Arrays.copyOf(losses, size);
      attempts = Arrays.copyOf(attempts, size);
      changedMillis = Arrays.copyOf(changedMillis, size);
    }
  }

  /** Passes on the job as it would be loaded from the database. */
  public void tell(RecoverySink recovery) {
    recovery.job(record, spec);
    for (int i = 0; i < states.length; i++) {
      if (states[i] != 0) {
        tellTask(i, STATES[states[i] - 1], recovery);
      }
    }
    List<Success> told = new ArrayList<>();
    successes.values().forEach(told::addAll);
    told.sort(Comparator.comparingLong(success -> success.token.value()));
    for (Success success : told) {
      TaskId task = new TaskId(record.id(), success.index);
      if (doubted.get(success.index)) {
        recovery.doubt(task, success.node);
      } else if (votes && success.report != null) {
        recovery.vote(task, success.node, success.report);
      }
    }
  }

  private void tellTask(int index, TaskState state, RecoverySink recovery) {
    TaskId task = new TaskId(record.id(), index);
    recovery.task(task, state, failures[index], losses[index], attempts[index]);
    if (state == TaskState.DONE) {
      recovery.done(task, changedMillis[index]);
    }
    for (OpenLease lease : leases.getOrDefault(index, List.of())) {
      recovery.lease(
          new Lease(task, lease.token),
          lease.agent,
          lease.node,
          lease.number,
          lease.leasedMillis,
          lease.granted);
    }
  }
}
