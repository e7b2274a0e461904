package dev.imker.core;

import dev.imker.core.strategy.Strategy;
import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Owns all live state of the pool: which task is where in its life, who holds which lease, what is
 * ready. One thread calls it; it does no I/O and knows neither clock nor randomness of its own.
 * Events come in through the {@code on…} methods, what follows from them goes to the {@link
 * Outbox}.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Scheduler {
  public Scheduler(SchedulerSettings settings, Strategy strategy, long epoch, long seed) {}

  /** Changes the strategy for all decisions from now on. */
  public void setStrategy(Strategy strategy) {
    throw new UnsupportedOperationException("being built");
  }

  /**
   * Recovery: a job whose tasks are all READY unless restoreTask says otherwise. Jobs come in the
   * order of their submission.
   */
  public void restoreJob(JobHeader job) {
    throw new UnsupportedOperationException("being built");
  }

  /**
   * Recovery: a task that is not in its initial state. {@code attempts} is the number of the last
   * attempt that started.
   */
  public void restoreTask(TaskId task, TaskState state, int failures, int losses, int attempts) {
    throw new UnsupportedOperationException("being built");
  }

  /** Recovery: an open lease; its task is RUNNING. */
  public void restoreLease(
      Lease lease, AgentId agent, NodeId node, int attempt, long startedMillis) {
    throw new UnsupportedOperationException("being built");
  }

  /** Recovery is complete: agents have one lease period to come back with their tasks. */
  public void restored(long nowMillis) {
    throw new UnsupportedOperationException("being built");
  }

  /** A job whose tasks are all READY. */
  public void onSubmit(long nowMillis, JobHeader job, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** A job whose tasks all wait for predecessors. */
  public void onSubmitWaiting(long nowMillis, JobHeader job, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** The predecessors of these tasks are done. Returns how many tasks changed their state. */
  public int onPredecessorsDone(
      long nowMillis, JobId job, int fromIndex, int toIndexExclusive, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** The predecessors of these tasks can no longer be done. */
  public int onPredecessorsFailed(
      long nowMillis, JobId job, int fromIndex, int toIndexExclusive, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** An agent connected. Leases it should have and does not name are lost at once. */
  public void onHello(long nowMillis, AgentHello hello, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** The connection closed; the agent keeps its leases until they expire. */
  public void onDisconnect(long nowMillis, AgentId agent, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /**
   * Renews the leases named. Returns those the agent names but no longer has: it must stop them.
   */
  public List<Lease> onSignOfLife(long nowMillis, AgentId agent, List<Lease> held, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** An attempt ended on an agent. Always answered with a confirm. */
  public void onFinished(
      long nowMillis, AgentId agent, Lease lease, AttemptReport report, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** A draining agent gets no further work. */
  public void onDrain(long nowMillis, AgentId agent, boolean on, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** Cancels those tasks that can be. Returns how many. */
  public int onCancel(long nowMillis, JobId job, int fromIndex, int toIndexExclusive, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** Holds back those tasks that can be. Returns how many. */
  public int onBlock(long nowMillis, JobId job, int fromIndex, int toIndexExclusive, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /**
   * Releases blocked tasks and retries failed and cancelled ones, with failures forgotten. Returns
   * how many.
   */
  public int onRelease(long nowMillis, JobId job, int fromIndex, int toIndexExclusive, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** Changes the priority of a job, 0 to 9. */
  public void onPriority(long nowMillis, JobId job, int priority, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /**
   * Time passed: loses the leases of silent agents, stops what is over its run-time limit.
   * O(expired).
   */
  public void onTick(long nowMillis, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** Hands out all it can; to be called once per turn of the loop. */
  public void dispatch(long nowMillis, Outbox out) {
    throw new UnsupportedOperationException("being built");
  }

  /** Drops a settled job from memory. Returns false (and keeps it) if it is not settled. */
  public boolean forget(JobId job) {
    throw new UnsupportedOperationException("being built");
  }

  /** Tasks of a job by the ordinal of their state; null if the job is not known. */
  public int @Nullable [] counts(JobId job) {
    throw new UnsupportedOperationException("being built");
  }

  /** All tasks in memory by the ordinal of their state. */
  public int[] totals() {
    throw new UnsupportedOperationException("being built");
  }

  /** State of a task; null if it is not known. */
  public @Nullable TaskState state(TaskId task) {
    throw new UnsupportedOperationException("being built");
  }

  /** Known jobs, in the order of submission. */
  public List<JobId> jobs() {
    throw new UnsupportedOperationException("being built");
  }

  /** Priority of a known job. */
  public int priority(JobId job) {
    throw new UnsupportedOperationException("being built");
  }

  /** Known agents. */
  public List<AgentView> agents() {
    throw new UnsupportedOperationException("being built");
  }

  /** Leases an agent holds. */
  public List<Lease> leases(AgentId agent) {
    throw new UnsupportedOperationException("being built");
  }

  /** Known projects, in the order of their definition. */
  public List<ProjectView> projects() {
    throw new UnsupportedOperationException("being built");
  }

  /** Throws IllegalStateException if any part of the state contradicts another. */
  public void checkInvariants() {
    throw new UnsupportedOperationException("being built");
  }
}
