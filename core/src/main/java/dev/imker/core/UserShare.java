package dev.imker.core;

/** What a user has running, and how much that may be. */
final class UserShare {
  private int running;
  private long live;
  private int waiting;
  private int most = Integer.MAX_VALUE;

  /** The decision this user was last counted in. */
  long seenIn;

  private long prioritySeenIn;
  private int topPriority;

  /** A project of this user has work of this priority for the slot of a decision. */
  void sawPriority(int priority, long decision) {
    topPriority = prioritySeenIn == decision ? Math.max(topPriority, priority) : priority;
    prioritySeenIn = decision;
  }

  /** The highest priority of the decision that {@link #sawPriority} was last called in. */
  int topPriority() {
    return topPriority;
  }

  int running() {
    return running;
  }

  /** Tasks that are not settled. */
  long live() {
    return live;
  }

  /** So many more tasks are not settled, or less. */
  void lives(long tasks) {
    live += tasks;
  }

  void ran(int tasks) {
    running += tasks;
  }

  /** So many more of the running tasks wait for others and need no slot, or less. */
  void waits(int tasks) {
    waiting += tasks;
  }

  int busy() {
    return running - Math.min(running, waiting);
  }

  void most(int slots) {
    most = slots;
  }

  int most() {
    return most;
  }

  boolean hasRoomFor(int tasks) {
    return tasks <= most - busy();
  }

  boolean isFull() {
    return busy() >= most;
  }
}
