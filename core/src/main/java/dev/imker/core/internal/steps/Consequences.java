package dev.imker.core.internal.steps;

import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.internal.tasks.TaskGraph;
import dev.imker.core.message.Outbox;
import dev.imker.model.TaskEvent;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The consequences of changed tasks for other tasks. Changes are noted during an event and applied
 * together at its end: an order for a whole job reaches all its tasks before any of them changes
 * because of another.
 */
public final class Consequences implements TaskGraph.Rechecks {
  private record Recheck(TaskArray job, int from, int toExclusive) {}

  /** The consequence for a task; null means that it stays as it is. */
  private enum Verdict {
    READY(TaskEvent.PREDECESSORS_DONE),
    LOST(TaskEvent.PREDECESSOR_FAILED),
    HOPE(TaskEvent.RELEASE_TO_WAIT);

    private final TaskEvent event;

    Verdict(TaskEvent event) {
      this.event = event;
    }
  }

  private final TaskSteps steps;
  private final ArrayDeque<Recheck> rechecks = new ArrayDeque<>();

  /** Tasks that change in later turns since they are so many. */
  private final ArrayDeque<Recheck> left = new ArrayDeque<>();

  private final int perTurn;
  private int room;

  /**
   * @param perTurn how many tasks change because of others in one turn
   */
  Consequences(TaskSteps steps, int perTurn) {
    this.steps = steps;
    this.perTurn = perTurn;
    this.room = perTurn;
  }

  /** Tasks took a step. */
  void moved(TaskArray job, int from, int toExclusive, TaskState before, TaskState after) {
    TaskGraph graph = job.graph();
    if (graph != null) {
      graph.moved(from, toExclusive, before, after, this);
    }
    List<TaskGraph.ForeignJoin> dependants = job.dependants;
    for (int i = 0; dependants != null && i < dependants.size(); i++) {
      dependants.get(i).moved(job, from, toExclusive, before, after, this);
    }
  }

  /** Something that these tasks wait for changed. */
  @Override
  public void recheck(TaskArray job, int from, int toExclusive) {
    Recheck last = rechecks.peekLast();
    if (last != null && last.job == job && last.toExclusive == from) {
      rechecks.removeLast();
      rechecks.addLast(new Recheck(job, last.from, toExclusive));
    } else {
      rechecks.addLast(new Recheck(job, from, toExclusive));
    }
  }

  /** Whether some are left for the next turn, or were found when the state was restored. */
  public boolean areLeft() {
    return !left.isEmpty() || !rechecks.isEmpty();
  }

  /** Takes up what is left of earlier turns, unless this one has had its share; returns whether. */
  public boolean goOn() {
    if (room == perTurn) {
      rechecks.addAll(left);
      left.clear();
    }
    return !rechecks.isEmpty();
  }

  /** A turn is over. */
  public void turnEnds() {
    room = perTurn;
  }

  /**
   * Applies the consequences of everything noted, and of these in turn; beyond the first thousands
   * of tasks whose rows change, in later turns.
   */
  public void draw(long nowMillis, Outbox out) {
    for (Recheck next = rechecks.poll(); next != null; next = rechecks.poll()) {
      TaskGraph graph = next.job.graph();
      boolean follows = !next.job.isUndoing() && !next.job.heldBack;
      if (graph != null && follows && draw(nowMillis, next, graph, out)) {
        JobReports.touched(next.job, nowMillis, out);
      }
    }
  }

  private boolean draw(long nowMillis, Recheck what, TaskGraph graph, Outbox out) {
    TaskArray job = what.job;
    boolean changed = false;
    for (int first = what.from; first < what.toExclusive; ) {
      StageTasks stage = job.stage(first);
      int stageEnd = Math.min(stage.end, what.toExclusive);
      int end = job.endOfRun(first, stageEnd);
      Verdict verdict = verdict(job, graph, first);
      TaskId culprit = verdict == Verdict.LOST ? graph.culprit(first) : null;
      if (!graph.isUniform(stage)) {
        end = endOfEqual(job, graph, first, end, verdict, culprit);
      }
      boolean written = verdict != null && isWritten(job, first, end, verdict);
      if (written && room == 0) {
        left.add(new Recheck(job, first, end));
        first = end;
        continue;
      }
      if (written) {
        end = Math.min(end, first + room);
        room -= end - first;
      }
      if (verdict != null) {
        changed = true;
        step(nowMillis, job, first, end, verdict, culprit, out);
      }
      first = end;
    }
    return changed;
  }

  /** That predecessors are done follows from their states: only rows that say otherwise change. */
  private static boolean isWritten(TaskArray job, int from, int toExclusive, Verdict verdict) {
    int told = job.told().nextSetBit(from);
    return verdict != Verdict.READY || (told >= 0 && told < toExclusive);
  }

  private static int endOfEqual(
      TaskArray job,
      TaskGraph graph,
      int first,
      int end,
      @Nullable Verdict verdict,
      @Nullable TaskId culprit) {
    int next = first + 1;
    while (next < end
        && verdict(job, graph, next) == verdict
        && (verdict != Verdict.LOST || Objects.equals(graph.culprit(next), culprit))) {
      next++;
    }
    return next;
  }

  private static @Nullable Verdict verdict(TaskArray job, TaskGraph graph, int index) {
    return switch (job.state(index)) {
      case WAITING -> {
        if (graph.isBroken(index)) {
          yield Verdict.LOST;
        }
        yield graph.isUnmet(index) || job.isPausing(index) ? null : Verdict.READY;
      }
      case BLOCKED -> graph.isBroken(index) ? Verdict.LOST : null;
      // A task that ran had all it waits for: this one failed because of another.
      case FAILED -> graph.lacksResults(index) && !graph.isBroken(index) ? Verdict.HOPE : null;
      case READY, RUNNING, DONE, AUTO_BLOCKED, CANCELLED -> null;
    };
  }

  private void step(
      long nowMillis,
      TaskArray job,
      int from,
      int toExclusive,
      Verdict verdict,
      @Nullable TaskId culprit,
      Outbox out) {
    String reason = culprit == null ? "" : "predecessor " + culprit + " failed";
    TaskState state = steps.take(job, from, toExclusive, verdict.event);
    if (verdict == Verdict.READY) {
      tellKnown(nowMillis, job, from, toExclusive, state, out);
    } else {
      tell(nowMillis, job, from, toExclusive, state, reason, out);
    }
  }

  private static void tellKnown(
      long nowMillis, TaskArray job, int from, int toExclusive, TaskState state, Outbox out) {
    int next = job.told().nextSetBit(from);
    while (next >= 0 && next < toExclusive) {
      int end = Math.min(toExclusive, job.told().nextClearBit(next));
      tell(nowMillis, job, next, end, state, "", out);
      next = job.told().nextSetBit(end);
    }
  }

  /** Tells of tasks that all got the same state; those with equal counts go together. */
  public static void tell(
      long nowMillis,
      TaskArray job,
      int from,
      int toExclusive,
      TaskState state,
      String reason,
      Outbox out) {
    job.told().set(from, toExclusive);
    for (int first = from; first < toExclusive; ) {
      int end = toExclusive;
      if (job.hasCounts()) {
        end = first + 1;
        while (end < toExclusive && job.hasEqualCounts(first, end)) {
          end++;
        }
      }
      int failures = job.failures().get(first);
      int losses = job.losses().get(first);
      out.change(
          end - first == 1
              ? new TaskChanged(job.task(first), state, failures, losses, nowMillis, reason)
              : new TasksChanged(job.id(), first, end, state, failures, losses, nowMillis, reason));
      first = end;
    }
  }
}
