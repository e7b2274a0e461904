package dev.imker.core.message;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.change.Change;

/**
 * The orders of the scheduler, in the order of events; the receiver makes the changes of a turn
 * durable before it sends any of the messages.
 */
public interface Outbox {
  /**
   * Give the task to the agent; {@code attempt} is 1 for the first.
   *
   * @param granted what it has of the machine and of the pool
   */
  void assign(AgentId agent, Lease lease, int attempt, Granted granted);

  /** The lease is void: the agent ends the task, if it has started it, and reports. */
  void stop(AgentId agent, Lease lease, String reason);

  /** Another agent could begin the task now: this one gives it back unless it has begun it. */
  default void recall(AgentId agent, Lease lease) {}

  /** Answers a report; the agent may forget the lease in either case. */
  void confirm(AgentId agent, Lease lease, boolean accepted);

  /**
   * A durable change. The scheduler never writes JobAdded: the whole job is known to its caller.
   */
  void change(Change change);

  /** Limits of a stage changed, of which the agent holds tasks. */
  default void limitsChanged(AgentId agent, JobId job, int stage) {}

  /** An admin wants the agent's tasks frozen for a reason, or, without one, to go on. */
  default void pause(AgentId agent, String why) {}

  /** Something about the state of nodes changed that is not stored. */
  default void nodesTouched() {}

  /** The counts of a job changed; may come many times in a turn. */
  void jobTouched(JobId job);
}
