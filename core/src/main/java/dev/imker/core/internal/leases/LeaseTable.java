package dev.imker.core.internal.leases;

import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.LongTable;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Attempts by the token of their lease, with their run-time limits. */
public final class LeaseTable {
  private final LongTable<LiveAttempt> byToken = new LongTable<>();
  private final LimitHeap limits = new LimitHeap();
  private final long epoch;
  private final long incarnation;
  private long lastSequence;

  public LeaseTable(long epoch, long incarnation) {
    this.epoch = epoch;
    this.incarnation = incarnation;
  }

  LeaseToken nextToken() {
    return LeaseToken.of(epoch, incarnation, ++lastSequence);
  }

  public int size() {
    return byToken.size();
  }

  /** The attempt the agent holds with this lease; null if it does not. */
  public @Nullable LiveAttempt find(AgentId agent, Lease lease) {
    LiveAttempt attempt = byToken.get(lease.token().value());
    return attempt != null && attempt.lease.equals(lease) && attempt.agent.id().equals(agent)
        ? attempt
        : null;
  }

  /** Whether an attempt with this lease goes on, at whatever agent. */
  public boolean isOpen(Lease lease) {
    LiveAttempt attempt = byToken.get(lease.token().value());
    return attempt != null && attempt.lease.equals(lease) && !attempt.isRevoked();
  }

  /**
   * @throws IllegalStateException if there is such a lease: each begins once
   */
  void add(LiveAttempt attempt) {
    if (byToken.get(attempt.lease.token().value()) != null) {
      throw new IllegalStateException("lease " + attempt.lease + " begins a second time");
    }
    byToken.put(attempt.lease.token().value(), attempt);
    attempt.agent.add(attempt);
    limit(attempt);
  }

  /** The limit of a task's attempts was changed. */
  public void relimit(RunningTask task) {
    for (LiveAttempt a = task.first(); a != null; a = a.nextOfTask) {
      limit(a);
    }
  }

  /** Updates how long an attempt has been frozen; it may not be over its limit after all. */
  public void paused(LiveAttempt attempt, long pausedMillis, long nowMillis) {
    attempt.pausedMillis = pausedMillis;
    attempt.overLimit &= limitMillis(attempt) <= nowMillis;
    limit(attempt);
  }

  /** While an attempt is frozen its run time stands still, and it has no limit to run into. */
  public void limit(LiveAttempt attempt) {
    limits.remove(attempt);
    long limitMillis = limitMillis(attempt);
    if (!attempt.overLimit && attempt.agent.pause.isEmpty() && limitMillis < Long.MAX_VALUE) {
      limits.add(attempt, limitMillis);
    }
  }

  private static long limitMillis(LiveAttempt attempt) {
    RunningTask task = attempt.task;
    long most = task == null ? 0 : task.job.maxRuntimeMillis(task.index);
    long from = attempt.startedMillis + attempt.pausedMillis;
    return most > 0 && most < Long.MAX_VALUE - from ? from + most : Long.MAX_VALUE;
  }

  public void remove(LiveAttempt attempt) {
    byToken.remove(attempt.lease.token().value());
    attempt.agent.remove(attempt);
    limits.remove(attempt);
  }

  /** The attempt no longer counts, but occupies its slot. */
  void revoke(LiveAttempt attempt) {
    attempt.task = null;
    limits.remove(attempt);
  }

  @Nullable LiveAttempt pollOverLimit(long nowMillis) {
    return limits.pollOver(nowMillis);
  }

  public void forEach(Consumer<? super LiveAttempt> action) {
    byToken.forEach(action);
  }
}
