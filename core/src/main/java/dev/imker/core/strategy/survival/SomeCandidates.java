package dev.imker.core.strategy.survival;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.Strategy;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A part of many candidates, the next part every time, so that a decision costs the same whether
 * there are a hundred projects or ten thousand. Among so many there is a good one in every part.
 */
final class SomeCandidates implements Choice {
  static final int MAX = 24;

  private @Nullable Choice all;
  private int from;

  /** The next part of the candidates. */
  SomeCandidates of(Choice choice) {
    from = (from + MAX) % choice.candidates();
    all = choice;
    return this;
  }

  /** The position among all of a position in the part. */
  int position(int position) {
    return position == Strategy.NONE ? Strategy.NONE : (from + position) % all().candidates();
  }

  private Choice all() {
    return Objects.requireNonNull(all);
  }

  @Override
  public long nowMillis() {
    return all().nowMillis();
  }

  @Override
  public NodeProfile node() {
    return all().node();
  }

  @Override
  public int candidates() {
    return Math.min(MAX, all().candidates());
  }

  @Override
  public ProjectProfile candidate(int position) {
    return all().candidate(position(position));
  }

  @Override
  public PoolProfile pool() {
    return all().pool();
  }

  @Override
  public RandomGenerator random() {
    return all().random();
  }
}
