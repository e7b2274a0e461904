package dev.imker.server.commands;

import dev.imker.core.Scheduler;
import dev.imker.core.message.JobPhase;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.SettingPut;
import dev.imker.server.commands.JobCommands.Action;
import dev.imker.server.live.LiveJob;
import dev.imker.server.live.StageOrder;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SteppedAnswer;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An action on many tasks of a job, some thousands in a turn. Tasks that wait for others are
 * cancelled before these, and released after them, so that none of them changes only because of
 * another that the action has reached earlier. A failure that concerns the whole job comes first.
 *
 * <p>An action of several turns is recorded on disk from its first turn to its last, so that the
 * leader after a crash completes it. It then restarts with the tasks that are in the requested
 * states by then.
 */
final class RangeAction implements SteppedAnswer.Steps<Integer> {
  static final int TASKS_PER_STEP = SchedulerSettings.TASKS_PER_TURN;

  private record Range(int from, int toExclusive) {
    int size() {
      return toExclusive - from;
    }
  }

  private final Action action;
  private final JobId job;
  private final int from;
  private final int toExclusive;
  private final Set<TaskState> states;
  private final int tasksPerStep;

  /** Where it is on disk; empty if it is not. */
  private String key;

  private @Nullable Deque<Range> left;
  private @Nullable JobPhase planned;
  private boolean sliced;
  private int changed;

  /**
   * @param states only tasks that are in one of these now; all if empty
   */
  RangeAction(
      Action action,
      JobId job,
      int from,
      int toExclusive,
      Set<TaskState> states,
      int tasksPerStep) {
    this(action, job, from, toExclusive, states, tasksPerStep, "");
  }

  private RangeAction(
      Action action,
      JobId job,
      int from,
      int toExclusive,
      Set<TaskState> states,
      int tasksPerStep,
      String key) {
    this.action = action;
    this.job = job;
    this.from = from;
    this.toExclusive = toExclusive;
    this.states = states;
    this.tasksPerStep = tasksPerStep;
    this.key = key;
    this.sliced = isBegun();
  }

  /** One that was begun and not ended, as {@link #text} told of it. */
  static RangeAction begun(String key, String text, int tasksPerStep) {
    String[] words = text.split(" ", -1);
    Set<TaskState> states = EnumSet.noneOf(TaskState.class);
    for (int i = 4; i < words.length; i++) {
      states.add(TaskState.valueOf(words[i]));
    }
    return new RangeAction(
        Action.valueOf(words[0]),
        new JobId(Long.parseLong(words[1])),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]),
        states,
        tasksPerStep,
        key);
  }

  /** Whether it is on disk. */
  boolean isBegun() {
    return !key.isEmpty();
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    text.append(action).append(' ').append(job.value());
    text.append(' ').append(from).append(' ').append(toExclusive);
    states.forEach(state -> text.append(' ').append(state));
    return text.toString();
  }

  @Override
  public @Nullable Integer step(PoolState pool, long nowMillis, Outbox out) {
    boolean goesOn = false;
    try {
      if (isBegun() && !pool.recall(job, nowMillis)) {
        end(out);
        return changed;
      }
      JobCommands.requireJob(pool, job, nowMillis);
      pool.recallBefore(job, nowMillis);
      boolean waits = !pool.orders().isTurnOf(job, this) || pool.scheduler().view().isHeldBack(job);
      Integer done = waits ? null : next(pool, nowMillis, out);
      goesOn = done == null;
      return done;
    } finally {
      if (!goesOn) {
        pool.orders().end(job, this);
      }
    }
  }

  private @Nullable Integer next(PoolState pool, long nowMillis, Outbox out) {
    if (left == null) {
      planned = pool.scheduler().view().phase(job);
      left = plan(pool);
      if (left.stream().mapToLong(Range::size).sum() > tasksPerStep) {
        sliced = true;
        begin(pool, out);
        return null;
      }
    }
    int room = tasksPerStep;
    while (!left.isEmpty() && room > 0) {
      Range next = left.removeFirst();
      if (next.size() > room) {
        left.addFirst(rest(next, room));
        next = part(next, room);
      }
      changed += act(pool, next, nowMillis, out);
      room -= next.size();
    }
    if (left.isEmpty() && action == Action.CANCEL && hasBegunAgain(pool)) {
      left = null; // what was cancelled is not any more
    }
    if (left == null || !left.isEmpty()) {
      return null;
    }
    end(out);
    return changed;
  }

  private void begin(PoolState pool, Outbox out) {
    if (!isBegun()) {
      key = pool.orders().nextKey(pool.epoch());
      out.change(new SettingPut(key, text()));
    }
  }

  private void end(Outbox out) {
    if (isBegun()) {
      out.change(new SettingPut(key, ""));
    }
  }

  /** Whether the whole job was restarted because of a failure since the tasks were looked for. */
  private boolean hasBegunAgain(PoolState pool) {
    JobPhase now = pool.scheduler().view().phase(job);
    return sliced && now.way() == JobPhase.Way.RESTARTED && !now.equals(planned);
  }

  private Range part(Range range, int size) {
    return fromTheEnd()
        ? new Range(range.toExclusive - size, range.toExclusive)
        : new Range(range.from, range.from + size);
  }

  private Range rest(Range range, int size) {
    return fromTheEnd()
        ? new Range(range.from, range.toExclusive - size)
        : new Range(range.from + size, range.toExclusive);
  }

  private boolean fromTheEnd() {
    return action == Action.CANCEL;
  }

  /** The ranges in their order; states are read before anything changes. */
  private Deque<Range> plan(PoolState pool) {
    LiveJob live = Objects.requireNonNull(pool.job(job));
    Range whole = new Range(Math.max(0, from), Math.min(live.stages().taskCount(), toExclusive));
    boolean all = states.isEmpty() || hasNoOthers(pool);
    Deque<Range> ranges = new ArrayDeque<>();
    if (all && whole.size() <= tasksPerStep) {
      ranges.add(whole);
      return ranges;
    }
    for (int stage : StageOrder.of(live.spec())) {
      int first = Math.max(whole.from, live.stages().firstOf(stage));
      int end = Math.min(whole.toExclusive, live.stages().endOf(stage));
      if (first < end) {
        addRanges(pool, first, end, all, ranges);
      }
    }
    return ranges;
  }

  /** Whether all tasks are in the wanted states, but for those that nothing can be done with. */
  private boolean hasNoOthers(PoolState pool) {
    int[] counts = Objects.requireNonNull(pool.counts(job));
    int others = 0;
    for (TaskState state : TaskState.values()) {
      others += states.contains(state) || state == TaskState.DONE ? 0 : counts[state.ordinal()];
    }
    return others == 0;
  }

  private void addRanges(PoolState pool, int first, int end, boolean all, Deque<Range> ranges) {
    if (all) {
      add(new Range(first, end), ranges);
      return;
    }
    BitSet wanted = wanted(pool, first, end);
    for (int at = wanted.nextSetBit(0); at >= 0; ) {
      int over = wanted.nextClearBit(at);
      add(new Range(first + at, first + over), ranges);
      at = wanted.nextSetBit(over);
    }
  }

  private void add(Range range, Deque<Range> ranges) {
    if (fromTheEnd()) {
      ranges.addFirst(range);
    } else {
      ranges.addLast(range);
    }
  }

  private BitSet wanted(PoolState pool, int first, int end) {
    BitSet wanted = new BitSet(end - first);
    for (int i = first; i < end; i++) {
      TaskState state = pool.scheduler().view().state(new TaskId(job, i));
      if (state != null && states.contains(state)) {
        wanted.set(i - first);
      }
    }
    return wanted;
  }

  /** Tasks may have left the wanted states since they were looked for in an earlier turn. */
  private int act(PoolState pool, Range range, long nowMillis, Outbox out) {
    if (states.isEmpty() || !sliced) {
      return act(pool.scheduler(), range, nowMillis, out);
    }
    int count = 0;
    BitSet wanted = wanted(pool, range.from, range.toExclusive);
    for (int at = wanted.nextSetBit(0); at >= 0; ) {
      int over = wanted.nextClearBit(at);
      count += act(pool.scheduler(), new Range(range.from + at, range.from + over), nowMillis, out);
      at = wanted.nextSetBit(over);
    }
    return count;
  }

  private int act(Scheduler scheduler, Range range, long nowMillis, Outbox out) {
    return switch (action) {
      case CANCEL -> scheduler.onCancel(nowMillis, job, range.from, range.toExclusive, out);
      case BLOCK -> scheduler.onBlock(nowMillis, job, range.from, range.toExclusive, out);
      case RELEASE -> scheduler.onRelease(nowMillis, job, range.from, range.toExclusive, out);
    };
  }
}
