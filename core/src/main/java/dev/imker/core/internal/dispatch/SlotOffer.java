package dev.imker.core.internal.dispatch;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.queues.Candidates;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A slot of an agent, and the projects that may have it: what a strategy is asked about. */
final class SlotOffer implements Choice {
  private final PoolProfile pool;
  private final RandomGenerator random;
  private long nowMillis;
  private @Nullable AgentSlots agent;
  private Candidates all = new Candidates();
  private Candidates choosable = new Candidates();

  SlotOffer(PoolProfile pool, RandomGenerator random) {
    this.pool = pool;
    this.random = random;
  }

  void at(long atMillis) {
    nowMillis = atMillis;
  }

  /** Offers a slot to all projects that have a task for it. */
  void to(AgentSlots slots, Candidates projects) {
    agent = slots;
    all = projects;
    choosable = projects;
  }

  /** The strategy is to choose among these. */
  void among(Candidates some) {
    choosable = some;
  }

  Candidates all() {
    return all;
  }

  Candidates choosable() {
    return choosable;
  }

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public NodeProfile node() {
    return Objects.requireNonNull(agent).profile();
  }

  @Override
  public int candidates() {
    return choosable.size();
  }

  @Override
  public ProjectProfile candidate(int position) {
    return choosable.profile(position);
  }

  @Override
  public int fitting() {
    return all.size();
  }

  @Override
  public ProjectProfile fitting(int position) {
    return all.profile(position);
  }

  @Override
  public PoolProfile pool() {
    return pool;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }
}
