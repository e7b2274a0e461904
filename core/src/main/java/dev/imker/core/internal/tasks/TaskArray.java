package dev.imker.core.internal.tasks;

import dev.imker.core.message.JobHeader;
import dev.imker.core.message.JobPhase;
import dev.imker.core.message.StageHeader;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.TaskLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one job: a byte of state per task, counters only once one of them is needed. Knows
 * nothing of what a state means; {@code TaskSteps} keeps states, counts and queues in step.
 */
public final class TaskArray {
  private static final TaskState[] STATES = TaskState.values();

  private final JobHeader header;
  private final ProjectProfile project;
  private final UserShare user;
  private final StageTasks[] stages;
  private final byte[] states;
  private final int[] counts = new int[STATES.length];

  /** Tasks whose result was accepted, kept apart from their states to check these against. */
  private final BitSet done = new BitSet();

  private final LongTable<RunningTask> running = new LongTable<>();
  private final Tally failures;
  private final Tally losses;
  private final Tally shortages;

  /** Attempts that ended neither well nor as a failure or loss since the last release. */
  private final Tally otherAttempts;

  /** Tasks that were written to the store for a reason other than an attempt. */
  private final BitSet told = new BitSet();

  private final FailedNodes failedNodes = new FailedNodes();
  private final DoneOrder doneOrder;
  private @Nullable TaskGraph graph;

  /** Other jobs that wait for tasks of this one; null while there is none. */
  public @Nullable List<TaskGraph.ForeignJoin> dependants;

  private int priority;

  /** What single tasks have of their own. */
  public OwnLimits own = OwnLimits.NONE;

  private boolean settledTold;

  /**
   * @param stages cover all tasks, in order
   */
  public TaskArray(JobHeader header, ProjectProfile project, UserShare user, StageTasks[] stages) {
    this.header = header;
    this.project = project;
    this.user = user;
    this.stages = stages;
    this.priority = header.priority();
    int size = stages[stages.length - 1].end;
    states = new byte[size];
    for (StageTasks stage : stages) {
      TaskState initial = initialState(stage);
      Arrays.fill(states, stage.first, stage.end, (byte) initial.ordinal());
      counts[initial.ordinal()] += stage.end - stage.first;
    }
    failures = new Tally(size);
    losses = new Tally(size);
    shortages = new Tally(size);
    otherAttempts = new Tally(size);
    doneOrder = new DoneOrder(header.onFailure().way() == OnFailure.Way.ROLLBACK, size, done);
  }

  private static TaskState initialState(StageTasks stage) {
    return stage.header().after().isEmpty() ? TaskState.READY : TaskState.WAITING;
  }

  public JobHeader header() {
    return header;
  }

  /** The job with its present priority and limits. */
  public JobHeader present() {
    List<StageHeader> now = new ArrayList<>(stages.length);
    for (StageTasks stage : stages) {
      now.add(stage.header());
    }
    return new JobHeader(header.id(), header.project(), priority, now, header.onFailure());
  }

  public JobId id() {
    return header.id();
  }

  public int size() {
    return states.length;
  }

  public ProjectProfile project() {
    return project;
  }

  /** The running work of its user in all projects. */
  public UserShare user() {
    return user;
  }

  public StageTasks[] stages() {
    return stages;
  }

  /** Whether these may be its stages: as many, with as many tasks each. */
  public boolean hasShapeOf(List<StageHeader> other) {
    if (other.size() != stages.length) {
      return false;
    }
    for (StageTasks stage : stages) {
      if (other.get(stage.number).taskCount() != stage.end - stage.first) {
        return false;
      }
    }
    return true;
  }

  public StageTasks stage(int index) {
    if (stages.length == 1) {
      return stages[0];
    }
    int low = 0;
    int high = stages.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (index < stages[middle].end) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return stages[low];
  }

  /** What its tasks wait for; null if they wait for nothing, or if nobody has asked yet. */
  public @Nullable TaskGraph graph() {
    return graph;
  }

  public void graph(@Nullable TaskGraph value) {
    graph = value;
  }

  /** Whether predecessors of a task are missing. */
  public boolean isUnmet(int index) {
    TaskGraph known = graph;
    return known != null && known.isUnmet(index);
  }

  /** Whether a task waits for the end of its pause, and not for others. */
  public boolean isPausing(int index) {
    return pauses != null && pauses.get(index) != null;
  }

  /** Until when tasks pause before another attempt; null while none does. */
  public @Nullable LongTable<Long> pauses;

  private Object orders = new Object();

  /** The results of tasks that need several equal ones; null while there are none. */
  @Nullable LongTable<Votes> votes;

  public boolean hasVoteOf(int index, NodeProfile node) {
    Votes cast = cast(index);
    return cast != null && cast.has(node);
  }

  /** The results so far; null if there are none. */
  public @Nullable Votes cast(int index) {
    return votes == null ? null : votes.get(index);
  }

  /** Whether a node has returned a result that needs confirmation by another. */
  public boolean hasVotes(int index) {
    Votes cast = cast(index);
    return cast != null && cast.size() > 0;
  }

  public Votes votes(int index) {
    LongTable<Votes> all = votes;
    if (all == null) {
      all = new LongTable<>();
      votes = all;
    }
    Votes cast = all.get(index);
    if (cast == null) {
      cast = new Votes();
      all.put(index, cast);
    }
    return cast;
  }

  public void forgetVotes(int index) {
    if (votes != null) {
      votes.remove(index);
    }
  }

  /** The phase of the job as a whole after a failure. */
  public JobPhase phase = JobPhase.RUNNING;

  /** Whether none of its READY tasks is queued, because all its tasks are being changed. */
  public boolean heldBack;

  /** The task that is, or was last, handed out to be undone; −1 before the first. */
  int undoing() {
    return isUndoing() ? phase.number() - 1 : -1;
  }

  /** Whether the last task that was to be undone could not be. */
  public boolean undoFailed() {
    int undoing = undoing();
    return undoing >= 0
        && (state(undoing) == TaskState.FAILED || state(undoing) == TaskState.AUTO_BLOCKED);
  }

  /** Whether a task was handed out to be undone and has not come to an end. */
  public boolean isUndoLive() {
    int undoing = undoing();
    return undoing >= 0 && !state(undoing).isSettled();
  }

  /** The task of a range that is to be undone and does not go on by itself; −1 if there is none. */
  public int heldUndo(int from, int toExclusive) {
    int undoing = undoing();
    return undoing >= Math.max(0, from) && undoing < toExclusive ? undoing : -1;
  }

  /** Whether its tasks are handed out to be undone. */
  public boolean isUndoing() {
    return !heldBack
        && (phase.way() == JobPhase.Way.ROLLING_BACK
            || phase.way() == JobPhase.Way.ROLLBACK_FAILED);
  }

  /** In which order tasks were done, for a job that may have to be rolled back. */
  public DoneOrder doneOrder() {
    return doneOrder;
  }

  /** Where tasks failed. */
  public FailedNodes failedNodes() {
    return failedNodes;
  }

  /** Whether tasks that are DONE may have to be handed out again. */
  public boolean mayBeginAgain() {
    return header.onFailure().way() == OnFailure.Way.RESTART
        || header.onFailure().way() == OnFailure.Way.ROLLBACK;
  }

  public BitSet done() {
    return done;
  }

  public BitSet told() {
    return told;
  }

  public int priority() {
    return priority;
  }

  public void priority(int value) {
    priority = value;
  }

  public int priorityOf(int index) {
    TaskLimits limits = own.of(index);
    return limits == null || limits.priority() == null ? priority : limits.priority();
  }

  public void addClasses(BitSet used) {
    for (StageTasks stage : stages) {
      used.set(stage.requirementClass);
      used.set(stage.gangClass);
      for (ReadyRange range = stage.firstRange(); range != null; range = range.afterInStage) {
        used.set(range.requirementClass);
      }
    }
    own.addClasses(used);
  }

  /** Tasks of the same class can run on the same nodes. */
  public int requirementClass(int index) {
    StageTasks stage = stage(index);
    int pinned = own.requirementClass(index, stage);
    if (pinned >= 0) {
      return pinned;
    }
    IntUnaryOperator growing = stage.growing;
    return growing == null ? stage.requirementClass : growing.applyAsInt(index);
  }

  /** How often a task has ended for lack of memory, and is to get twice as much each time. */
  public Tally shortages() {
    return shortages;
  }

  /** End of the tasks from one on, of one stage, that ask for the same amounts. */
  public int endOfSameGrowth(int index, int end) {
    if (stage(index).growing == null) {
      return end;
    }
    int next = index + 1;
    while (next < end
        && failures.get(next) == failures.get(index)
        && shortages.get(next) == shortages.get(index)) {
      next++;
    }
    return next;
  }

  public int maxFailures(int index) {
    TaskLimits limits = own.of(index);
    return limits == null || limits.maxFailures() == null
        ? stage(index).maxFailures
        : limits.maxFailures();
  }

  public long maxRuntimeMillis(int index) {
    TaskLimits limits = own.of(index);
    return limits == null || limits.maxRuntimeMillis() == null
        ? stage(index).maxRuntimeMillis
        : limits.maxRuntimeMillis();
  }

  public TaskId task(int index) {
    return new TaskId(header.id(), index);
  }

  public TaskState state(int index) {
    return STATES[states[index]];
  }

  /** End of the tasks from {@code first} on that are in its state. */
  public int endOfRun(int first, int end) {
    int next = first + 1;
    while (next < end && states[next] == states[first]) {
      next++;
    }
    return next;
  }

  public byte[] states() {
    return states.clone();
  }

  /** The first task from {@code from} on that is in one of the states; the size if none is. */
  public int next(int from, EnumSet<TaskState> wanted) {
    int mask = 0;
    for (TaskState state : wanted) {
      mask |= 1 << state.ordinal();
    }
    int index = from;
    while (index < states.length && (mask >> states[index] & 1) == 0) {
      index++;
    }
    return index;
  }

  public int count(TaskState state) {
    return counts[state.ordinal()];
  }

  public int[] counts() {
    return counts.clone();
  }

  /**
   * Takes tasks from one state to another.
   *
   * @throws IllegalStateException if they are DONE: that stays so, but for {@link #reopen}
   */
  public void fill(int from, int toExclusive, TaskState before, TaskState now) {
    if (before == TaskState.DONE && now != TaskState.DONE) {
      throw new IllegalStateException(task(from) + " is DONE and cannot be " + now);
    }
    set(from, toExclusive, before, now);
  }

  /** The only way out of DONE: the job begins again, or is rolled back. */
  public void reopen(int from, int toExclusive, TaskState now) {
    done.clear(from, toExclusive);
    set(from, toExclusive, TaskState.DONE, now);
  }

  private void set(int from, int toExclusive, TaskState before, TaskState now) {
    if (now == TaskState.DONE) {
      done.set(from, toExclusive);
    }
    Arrays.fill(states, from, toExclusive, (byte) now.ordinal());
    counts[before.ordinal()] -= toExclusive - from;
    counts[now.ordinal()] += toExclusive - from;
  }

  public boolean isSettled() {
    return live() == 0;
  }

  public int live() {
    int live = 0;
    for (TaskState state : STATES) {
      live += state.isSettled() ? 0 : counts[state.ordinal()];
    }
    return live;
  }

  /** Whether the job was last reported as settled. */
  public boolean settledTold() {
    return settledTold;
  }

  public void settledTold(boolean settled) {
    settledTold = settled;
  }

  public Tally failures() {
    return failures;
  }

  public Tally losses() {
    return losses;
  }

  public Tally otherAttempts() {
    return otherAttempts;
  }

  /** Attempts that ended. */
  public int attempts(int index) {
    return failures.get(index) + losses.get(index) + otherAttempts.get(index);
  }

  /**
   * Whether any task has ever counted a failure, a loss, or another attempt that came to nothing.
   */
  public boolean hasCounts() {
    return !failures.isAllZero() || !losses.isAllZero() || !otherAttempts.isAllZero();
  }

  public boolean hasEqualCounts(int one, int other) {
    return failures.get(one) == failures.get(other)
        && losses.get(one) == losses.get(other)
        && otherAttempts.get(one) == otherAttempts.get(other);
  }

  /** A released task starts with a clean record, but its attempts are numbered on. */
  public void forgive(int index) {
    forgetVotes(index);
    otherAttempts.set(index, attempts(index));
    failures.set(index, 0);
    losses.set(index, 0);
  }

  /** Another object after each order to tasks that were tried: cancel, retry, begin again. */
  public Object orders() {
    return orders;
  }

  public void ordered() {
    orders = new Object();
  }

  public @Nullable RunningTask running(int index) {
    return running.get(index);
  }

  public LongTable<RunningTask> running() {
    return running;
  }
}
