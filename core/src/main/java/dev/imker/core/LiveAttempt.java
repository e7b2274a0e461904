package dev.imker.core;

import dev.imker.model.Lease;
import org.jspecify.annotations.Nullable;

/**
 * An attempt an agent has been given and that has not ended. A revoked one no longer belongs to its
 * task but fills its slot until the agent says that it has stopped.
 */
final class LiveAttempt {
  final Lease lease;
  final AttemptHolder agent;
  final int number;
  final long startedMillis;

  /** Expected run time when it was given out; negative if unknown. */
  final double expectedMillis;

  @Nullable RunningTask task;
  @Nullable LiveAttempt nextOfTask;
  @Nullable LiveAttempt beforeOfAgent;
  @Nullable LiveAttempt afterOfAgent;

  /** How long it was frozen so far, as its agent said last; that time is no run time. */
  long pausedMillis;

  /** Whether it was told to stop because of its run-time limit. */
  boolean overLimit;

  /** Why it was taken from its agent; empty while it counts. */
  String revoked = "";

  /** Whether no other attempt can do better. */
  boolean hopeless;

  /** Whether its loss says nothing of its task and its node. */
  boolean excused;

  /** The number of the agent's last list of held leases that names it. */
  long namedIn;

  /** Position in {@link LimitHeap}; −1 outside. */
  int heapPosition = -1;

  long limitMillis;

  LiveAttempt(
      Lease lease,
      AttemptHolder agent,
      RunningTask task,
      int number,
      long startedMillis,
      double expectedMillis) {
    this.lease = lease;
    this.agent = agent;
    this.task = task;
    this.number = number;
    this.startedMillis = startedMillis;
    this.expectedMillis = expectedMillis;
  }

  boolean isRevoked() {
    return task == null;
  }
}
