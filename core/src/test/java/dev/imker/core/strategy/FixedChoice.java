package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import java.util.List;
import java.util.random.RandomGenerator;

/** A choice among given projects. */
public record FixedChoice(
    long nowMillis,
    NodeProfile node,
    List<ProjectProfile> projects,
    PoolProfile pool,
    RandomGenerator random)
    implements Choice {
  @Override
  public int candidates() {
    return projects.size();
  }

  @Override
  public ProjectProfile candidate(int position) {
    return projects.get(position);
  }
}
