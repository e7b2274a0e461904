package dev.imker.store.simulated;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import dev.imker.store.StoreException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A task with all its attempts, by the same rules as in the databases. */
final class SimTask {
  record Attempt(
      long token,
      int number,
      AgentId agent,
      NodeId node,
      long leasedMillis,
      Granted granted,
      @Nullable AttemptReport report) {
    static Attempt of(AttemptStarted start) {
      return new Attempt(
          start.token().value(),
          start.attempt(),
          start.agent(),
          start.node(),
          start.atMillis(),
          Granted.parse(start.granted()),
          null);
    }

    Attempt with(AttemptReport end) {
      return new Attempt(token, number, agent, node, leasedMillis, granted, end);
    }
  }

  final TaskId id;
  TaskState state = TaskState.READY;
  int failures;
  int losses;
  int attempts;
  long changedMillis;
  String reason = "";

  /** The attempt that runs, or that settled the task. */
  @Nullable Attempt last;

  /** Others that run at the same time. */
  final TreeMap<Long, Attempt> copies = new TreeMap<>();

  /** Those that ended without settling the task. */
  final TreeMap<Long, Attempt> ended = new TreeMap<>();

  SimTask(TaskId id) {
    this.id = id;
  }

  SimTask copy() {
    SimTask copy = new SimTask(id);
    copy.state = state;
    copy.failures = failures;
    copy.losses = losses;
    copy.attempts = attempts;
    copy.changedMillis = changedMillis;
    copy.reason = reason;
    copy.last = last;
    copy.copies.putAll(copies);
    copy.ended.putAll(ended);
    return copy;
  }

  void start(AttemptStarted start) {
    Attempt attempt = Attempt.of(start);
    if (state != TaskState.RUNNING || last == null) {
      state = TaskState.RUNNING;
      changedMillis = start.atMillis();
      last = attempt;
    } else if (copies.put(attempt.token, attempt) != null) {
      throw new StoreException("Lease " + attempt.token + " of task " + id + " began twice.");
    }
    attempts = start.attempt();
  }

  void end(AttemptEnded end) {
    boolean isLast = isLast(end.token().value());
    if (!end.state().isSettled()) {
      if (isLast) {
        endLast(end);
      } else {
        endCopy(end);
      }
    } else if (isLast) {
      settle(end);
    } else if (state == TaskState.RUNNING) {
      promote(end);
      settle(end);
    } else {
      endCopy(end);
    }
  }

  private boolean isLast(long token) {
    return last != null && last.token == token;
  }

  private void settle(AttemptEnded end) {
    state = end.state();
    boolean succeeded = end.report().outcome() == AttemptOutcome.SUCCEEDED;
    if (state != TaskState.DONE || !succeeded) {
      failures = end.failures();
      losses = end.losses();
    }
    changedMillis = end.atMillis();
    last = last == null ? null : last.with(end.report());
  }

  private void endLast(AttemptEnded end) {
    Attempt was = last;
    if (was != null) {
      ended.put(was.token, was.with(end.report()));
    }
    Map.Entry<Long, Attempt> next = end.state() == TaskState.RUNNING ? copies.firstEntry() : null;
    last = next == null ? null : copies.remove(next.getKey());
    count(end);
  }

  private void endCopy(AttemptEnded end) {
    Attempt copy = copies.remove(end.token().value());
    if (copy == null) {
      throw neverStarted(end);
    }
    ended.put(copy.token, copy.with(end.report()));
    count(end);
  }

  private void promote(AttemptEnded end) {
    Attempt copy = copies.remove(end.token().value());
    if (copy == null) {
      throw neverStarted(end);
    }
    if (last != null) {
      copies.put(last.token, last);
    }
    last = copy;
  }

  private void count(AttemptEnded end) {
    changedMillis = state == end.state() ? changedMillis : end.atMillis();
    state = end.state();
    failures = end.failures();
    losses = end.losses();
  }

  void stop(AttemptStopped stop) {
    long token = stop.token().value();
    if (last != null && last.token == token && isStopped(last)) {
      last = last.with(stop.report().ofStopped(stop.report().error()));
    } else {
      ended.computeIfPresent(
          token,
          (_, attempt) ->
              isStopped(attempt)
                  ? attempt.with(stop.report().ofStopped(stop.report().error()))
                  : attempt);
    }
  }

  private static boolean isStopped(Attempt attempt) {
    AttemptReport report = attempt.report;
    return report != null && report.outcome() == AttemptOutcome.STOPPED;
  }

  void change(TaskState next, int nextFailures, int nextLosses, long atMillis, String why) {
    if ((next == TaskState.READY || next == TaskState.WAITING)
        && last != null
        && last.report != null) {
      ended.put(last.token, last);
      last = null;
    }
    state = next;
    failures = nextFailures;
    losses = nextLosses;
    changedMillis = atMillis;
    reason = why;
  }

  private StoreException neverStarted(AttemptEnded end) {
    return new StoreException(
        "An attempt of task %s ended that is not known to run (token %d)."
            .formatted(id, end.token().value()));
  }
}
