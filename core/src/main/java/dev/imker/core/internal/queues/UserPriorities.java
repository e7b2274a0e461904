package dev.imker.core.internal.queues;

import java.util.BitSet;

/**
 * Lets priorities count across the projects of a user: of each user, only the projects whose most
 * urgent task that fits has the highest priority among them are offered a slot. Between users they
 * count for nothing. Costs as much as there are projects with work for the slot, and nothing while
 * all READY tasks have the same priority.
 */
public final class UserPriorities {
  private final Candidates urgent = new Candidates();
  private long round;

  public Candidates of(Candidates all, BitSet classes, ReadyWork ready) {
    if (all.size() < 2 || ready.hasOnePriority()) {
      return all;
    }
    round++;
    for (int i = 0; i < all.size(); i++) {
      all.queues(i).user().sawPriority(all.queues(i).topPriority(classes), round);
    }
    urgent.clear();
    for (int i = 0; i < all.size(); i++) {
      ProjectQueues project = all.queues(i);
      if (project.topPriority(classes) >= project.user().topPriority()) {
        urgent.add(project);
      }
    }
    return urgent.size() == all.size() ? all : urgent;
  }
}
