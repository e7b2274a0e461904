package dev.imker.core.internal.queues;

import dev.imker.core.internal.tasks.UserShare;

/**
 * Limits users to their share while there are fewer nodes than projects that want one: then a slot
 * serves only users who have no more running than the mean of those with work for it, by cores,
 * however many projects they have. The strategy chooses among their projects, and decides alone
 * while there are enough nodes for all projects. The cost is proportional to the number of projects
 * with work for the slot.
 */
public final class FairShare {
  private final Candidates entitled = new Candidates();
  private long round;

  /** Those of the candidates whose users are entitled to the slot; all if there is one user. */
  public Candidates of(Candidates all, int nodes) {
    if (nodes >= all.size()) {
      return all;
    }
    round++;
    long load = 0;
    int users = 0;
    for (int i = 0; i < all.size(); i++) {
      UserShare user = all.queues(i).user();
      if (user.seenIn != round) {
        user.seenIn = round;
        load += user.load();
        users++;
      }
    }
    return users < 2 ? all : entitled(all, load, users);
  }

  private Candidates entitled(Candidates all, long load, int users) {
    entitled.clear();
    for (int i = 0; i < all.size(); i++) {
      if (all.queues(i).user().load() * users <= load) {
        entitled.add(all.queues(i));
      }
    }
    return entitled.size() == all.size() ? all : entitled;
  }
}
