package dev.imker.core;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one job: a byte of state per task, counters only once one of them is needed. Knows
 * nothing of what a state means; {@link TaskSteps} keeps states, counts and queues in step.
 */
final class TaskArray {
  private static final TaskState[] STATES = TaskState.values();

  private final JobHeader header;
  private final ProjectQueues project;
  private final int requirementClass;
  private final byte[] states;
  private final int[] counts = new int[STATES.length];
  private final LongTable<RunningTask> running = new LongTable<>();
  private final Tally failures;
  private final Tally losses;

  /** Attempts that ended neither well nor as a failure or loss since the last release. */
  private final Tally otherAttempts;

  private final BitSet unmet = new BitSet();
  private @Nullable LongTable<Avoidance> avoidances;
  private @Nullable ReadyRange firstRange;
  private @Nullable ReadyRange lastRange;
  private int priority;
  private boolean settledTold;

  TaskArray(JobHeader header, ProjectQueues project, int requirementClass, TaskState initial) {
    this.header = header;
    this.project = project;
    this.requirementClass = requirementClass;
    this.priority = header.priority();
    int size = header.taskCount();
    states = new byte[size];
    Arrays.fill(states, (byte) initial.ordinal());
    counts[initial.ordinal()] = size;
    failures = new Tally(size);
    losses = new Tally(size);
    otherAttempts = new Tally(size);
    if (initial == TaskState.WAITING) {
      unmet.set(0, size);
    }
  }

  JobHeader header() {
    return header;
  }

  JobId id() {
    return header.id();
  }

  int size() {
    return states.length;
  }

  ProjectQueues project() {
    return project;
  }

  int requirementClass() {
    return requirementClass;
  }

  int priority() {
    return priority;
  }

  void priority(int value) {
    priority = value;
  }

  TaskId task(int index) {
    return new TaskId(header.id(), index);
  }

  TaskState state(int index) {
    return STATES[states[index]];
  }

  /** End of the tasks from {@code first} on that are in its state. */
  int endOfRun(int first, int end) {
    int next = first + 1;
    while (next < end && states[next] == states[first]) {
      next++;
    }
    return next;
  }

  int count(TaskState state) {
    return counts[state.ordinal()];
  }

  int[] counts() {
    return counts.clone();
  }

  void fill(int from, int toExclusive, TaskState before, TaskState now) {
    Arrays.fill(states, from, toExclusive, (byte) now.ordinal());
    counts[before.ordinal()] -= toExclusive - from;
    counts[now.ordinal()] += toExclusive - from;
  }

  boolean isSettled() {
    int settled = 0;
    for (TaskState state : STATES) {
      settled += state.isSettled() ? counts[state.ordinal()] : 0;
    }
    return settled == states.length;
  }

  /** Whether the job was last reported as settled. */
  boolean settledTold() {
    return settledTold;
  }

  void settledTold(boolean settled) {
    settledTold = settled;
  }

  Tally failures() {
    return failures;
  }

  Tally losses() {
    return losses;
  }

  Tally otherAttempts() {
    return otherAttempts;
  }

  /** Attempts that ended. */
  int attempts(int index) {
    return failures.get(index) + losses.get(index) + otherAttempts.get(index);
  }

  /**
   * Whether any task has ever counted a failure, a loss, or another attempt that came to nothing.
   */
  boolean hasCounts() {
    return !failures.isAllZero() || !losses.isAllZero() || !otherAttempts.isAllZero();
  }

  boolean hasEqualCounts(int one, int other) {
    return failures.get(one) == failures.get(other)
        && losses.get(one) == losses.get(other)
        && otherAttempts.get(one) == otherAttempts.get(other);
  }

  /** A released task starts with a clean record, but its attempts go on counting. */
  void forgive(int index) {
    otherAttempts.set(index, attempts(index));
    failures.set(index, 0);
    losses.set(index, 0);
  }

  /** Tasks whose predecessors are missing. */
  BitSet unmet() {
    return unmet;
  }

  /** Notes that the predecessors of the tasks from..to, as far as there are such, are done. */
  void met(int from, int toExclusive) {
    int first = Math.max(0, from);
    unmet.clear(first, Math.max(first, Math.min(size(), toExclusive)));
  }

  @Nullable RunningTask running(int index) {
    return running.get(index);
  }

  LongTable<RunningTask> running() {
    return running;
  }

  /** Keeps a task from a node it failed on. */
  void avoid(int index, Avoidance avoidance) {
    if (avoidances == null) {
      avoidances = new LongTable<>();
    }
    avoidances.put(index, avoidance);
  }

  @Nullable Avoidance avoidance(int index) {
    return avoidances == null ? null : avoidances.get(index);
  }

  void forgetAvoidance(int index) {
    if (avoidances != null) {
      avoidances.remove(index);
    }
  }

  /** Its first queued range; the others follow with {@link ReadyRange#afterInJob}. */
  @Nullable ReadyRange firstRange() {
    return firstRange;
  }

  void linkRange(ReadyRange range) {
    ReadyRange last = lastRange;
    range.beforeInJob = last;
    lastRange = range;
    if (last == null) {
      firstRange = range;
    } else {
      last.afterInJob = range;
    }
  }

  void unlinkRange(ReadyRange range) {
    ReadyRange before = range.beforeInJob;
    ReadyRange after = range.afterInJob;
    if (before == null) {
      firstRange = after;
    } else {
      before.afterInJob = after;
    }
    if (after == null) {
      lastRange = before;
    } else {
      after.beforeInJob = before;
    }
  }
}
