package dev.imker.agent.internal.lease;

import dev.imker.model.job.TaskTemplate;
import dev.imker.wire.proto.FollowLog;

/** Executes leases. One thread owns all state; others leave notes for it. */
public interface LeaseRuns {
  /** Has something done by the thread that owns the runs; from any thread. */
  void note(Runnable note);

  /** Begins a run as soon as there is room; in a note. */
  void accept(HeldLease held, TaskTemplate template);

  /** Ends a run before its time; in a note. */
  void stop(HeldLease held, TaskRun.Cause cause, String reason);

  /** Gives back what waits for room; what has begun goes on; in a note. */
  void giveBackUnbegun(HeldLease held, String reason);

  /** Tells what a run writes; in a note. */
  void follow(HeldLease held, FollowLog order);
}
