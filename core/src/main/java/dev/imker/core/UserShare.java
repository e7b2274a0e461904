package dev.imker.core;

/** What a user has running, and how much that may be. */
final class UserShare {
  private int running;
  private int most = Integer.MAX_VALUE;

  /** The decision this user was last counted in. */
  long seenIn;

  int running() {
    return running;
  }

  void ran(int tasks) {
    running += tasks;
  }

  void most(int slots) {
    most = slots;
  }

  boolean hasRoomFor(int tasks) {
    return tasks <= most - running;
  }

  boolean isFull() {
    return running >= most;
  }
}
