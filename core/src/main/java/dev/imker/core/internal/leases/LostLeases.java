package dev.imker.core.internal.leases;

import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.Lease;
import dev.imker.model.recent.RecentMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Leases that were lost because nothing was heard of their agents, the newest of them. An agent
 * that comes back with one keeps it if nobody else was given the task meanwhile.
 */
public final class LostLeases {
  private static final int MAX_KEPT = 50_000;

  /**
   * One that was lost.
   *
   * @param attempts how many attempts there had been at the task by then, this one counted: more of
   *     them mean that another one took its place
   * @param counted whether it was counted as a loss of the task
   * @param orders what the job was told by then; {@link TaskArray#orders}
   * @param granted what it had
   */
  public record Lost(
      AgentId agent,
      int attempts,
      long startedMillis,
      boolean counted,
      Object orders,
      Granted granted) {}

  private final Map<Lease, Lost> byLease = RecentMap.ofNewest(MAX_KEPT);

  /** To be called after the loss was counted. */
  public void add(LiveAttempt attempt, TaskArray job) {
    Lease lease = attempt.lease;
    int attempts = job.attempts(lease.task().index());
    byLease.put(
        lease,
        new Lost(
            attempt.agent.id(),
            attempts,
            attempt.startedMillis,
            !attempt.excused,
            job.orders(),
            attempt.grant.told()));
  }

  public boolean has(AgentId agent, Lease lease) {
    Lost lost = byLease.get(lease);
    return lost != null && lost.agent.equals(agent);
  }

  public void remove(Lease lease) {
    byLease.remove(lease);
  }

  /** Removes and returns what an agent lost; null if it did not lose this lease. */
  public @Nullable Lost take(AgentId agent, Lease lease) {
    Lost lost = byLease.get(lease);
    if (lost == null || !lost.agent.equals(agent)) {
      return null;
    }
    byLease.remove(lease);
    return lost;
  }
}
