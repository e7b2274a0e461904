package dev.imker.core.strategy.catalogue;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProfileListener;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.Strategy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Every node has an equal share of every project as its own queue and works it off in the order of
 * arrival; with fewer than {@code threshold} tasks left it takes over surplus of others, from the
 * project with most waiting tasks (migration, work stealing). Tasks wait at the agents themselves;
 * the scheduler brings those that wait at one to another that has nothing to do.
 */
final class LocalQueue implements Strategy, ProfileListener {
  private final int threshold;
  private final int queue;
  private static final int[] NOTHING = {};

  private final Map<NodeProfile, int[]> taken = new HashMap<>();

  LocalQueue(int threshold, int queue) {
    this.threshold = threshold;
    this.queue = queue;
  }

  @Override
  public String name() {
    return "local-queue";
  }

  @Override
  public int queuePerSlot() {
    return queue;
  }

  @Override
  public void attach(PoolProfile pool) {
    pool.addListener(this);
  }

  @Override
  public void detach(PoolProfile pool) {
    pool.removeListener(this);
  }

  @Override
  public void onAssigned(long nowMillis, NodeProfile node, ProjectProfile project) {
    int[] counts = taken.computeIfAbsent(node, n -> new int[project.index() + 1]);
    if (counts.length <= project.index()) {
      counts = Arrays.copyOf(counts, project.index() + 8);
      taken.put(node, counts);
    }
    counts[project.index()]++;
  }

  @Override
  public int choose(Choice choice) {
    int own = own(choice);
    return own == NONE ? surplus(choice) : own;
  }

  @Override
  public String explain(Choice choice) {
    int own = own(choice);
    if (own != NONE) {
      return "local-queue: " + choice.candidate(own).project() + " is first in the node's queue";
    }
    ProjectProfile other = choice.candidate(surplus(choice));
    return String.format(
        Locale.ROOT,
        "local-queue: the node's own queue holds fewer than %d tasks; %s has the largest surplus"
            + " (%d waiting)",
        threshold,
        other.project(),
        other.ready());
  }

  private int own(Choice choice) {
    int left = 0;
    int first = NONE;
    for (int i = 0; i < choice.candidates(); i++) {
      int share = share(choice, i);
      left += share;
      if (share > 0 && first == NONE) {
        first = i;
      }
    }
    return left < threshold ? NONE : first;
  }

  private int share(Choice choice, int position) {
    ProjectProfile project = choice.candidate(position);
    int[] counts = taken.getOrDefault(choice.node(), NOTHING);
    int used = project.index() < counts.length ? counts[project.index()] : 0;
    int share = Math.ceilDiv(project.total(), Math.max(1, choice.pool().nodesUp()));
    return Math.max(0, share - used);
  }

  private static int surplus(Choice choice) {
    int best = 0;
    for (int i = 1; i < choice.candidates(); i++) {
      if (choice.candidate(i).ready() > choice.candidate(best).ready()) {
        best = i;
      }
    }
    return best;
  }
}
