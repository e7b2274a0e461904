package dev.imker.core.internal.dispatch;

import dev.imker.core.internal.agents.AgentGroup;
import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.leases.CopyableTasks;
import dev.imker.core.internal.leases.OpenVotes;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.CopyChoice;
import dev.imker.core.strategy.TailCopies;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Running tasks that a free slot might work on as well. Collected only if the strategy looks. */
final class CopyOffer implements CopyChoice {
  static final int MAX_CANDIDATES = 256;
  private static final int MAX_LOOKED_AT = 1024;

  private final CopyableTasks copyable;
  private final PoolProfile pool;
  private final TailCopies byReputation = TailCopies.byReputation();
  private final List<RunningTask> candidates = new ArrayList<>();
  private boolean collected;
  private long nowMillis;
  private @Nullable AgentSlots agent;

  CopyOffer(CopyableTasks copyable, PoolProfile pool) {
    this.copyable = copyable;
    this.pool = pool;
  }

  CopyOffer to(AgentSlots slots, long atMillis) {
    agent = slots;
    nowMillis = atMillis;
    collected = false;
    return this;
  }

  /** A task that needs equal results of several nodes, and that this one may work on as well. */
  @Nullable RunningTask vote(OpenVotes votes) {
    AgentGroup group = Objects.requireNonNull(agent().group);
    return votes.first(
        group.classes(),
        task ->
            OpenVotes.isOpen(task)
                && !task.job.failedNodes().isUnfit(task.index, node(), nowMillis)
                && fits(task, group));
  }

  RunningTask task(int position) {
    return collect().get(position);
  }

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public NodeProfile node() {
    return agent().profile();
  }

  @Override
  public int candidates() {
    return collect().size();
  }

  @Override
  public ProjectProfile project(int position) {
    return task(position).job.project();
  }

  /**
   * An agent whose connection ended does not count, although it keeps its leases in case it comes
   * back.
   */
  @Override
  public int holders(int position) {
    int holders = 0;
    for (LiveAttempt a = task(position).first(); a != null; a = a.nextOfTask) {
      holders += a.agent.hungUp ? 0 : 1;
    }
    return holders;
  }

  @Override
  public NodeProfile holder(int position, int holder) {
    return held(position, holder).agent.profile();
  }

  @Override
  public long startedMillis(int position, int holder) {
    return held(position, holder).startedMillis;
  }

  private LiveAttempt held(int position, int holder) {
    int before = 0;
    for (LiveAttempt a = task(position).first(); a != null; a = a.nextOfTask) {
      if (!a.agent.hungUp && before++ == holder) {
        return a;
      }
    }
    throw new IndexOutOfBoundsException(holder);
  }

  @Override
  public TailCopies byReputation() {
    return byReputation;
  }

  @Override
  public PoolProfile pool() {
    return pool;
  }

  private AgentSlots agent() {
    return Objects.requireNonNull(agent);
  }

  private List<RunningTask> collect() {
    if (!collected) {
      collected = true;
      candidates.clear();
      AgentGroup group = Objects.requireNonNull(agent().group);
      RunningTask task = copyable.head();
      for (int i = 0;
          i < MAX_LOOKED_AT && task != null && candidates.size() < MAX_CANDIDATES;
          i++) {
        if (fits(task, group)) {
          candidates.add(task);
        }
        task = task.after;
      }
    }
    return candidates;
  }

  private boolean fits(RunningTask task, AgentGroup group) {
    LiveAttempt first = task.first();
    if (task.stage.growing != null) {
      return false; // what a copy would ask for is decided when the task is queued
    }
    int number = task.job.requirementClass(task.index);
    return group.classes().get(number)
        && agent().machine().reservation == null
        && group.variant(number, agent()) >= 0
        && (first == null || !first.overLimit)
        && !task.isOn(node())
        && !task.job.isUndoing()
        && !task.job.hasVoteOf(task.index, node())
        && agent().offer().serves(task.job.project());
  }
}
