package dev.imker.core.internal.tasks;

import dev.imker.model.job.Requirements;

/** What a user has running, and how much that may be. */
public final class UserShare {
  private int running;
  private long beyondOneCore;
  private long live;
  private int waiting;
  private int most = Integer.MAX_VALUE;

  /** The decision this user was last counted in. */
  public long seenIn;

  private long prioritySeenIn;
  private int topPriority;

  /** A project of this user has work of this priority for the slot of a decision. */
  public void sawPriority(int priority, long decision) {
    topPriority = prioritySeenIn == decision ? Math.max(topPriority, priority) : priority;
    prioritySeenIn = decision;
  }

  /** The highest priority of the decision that {@link #sawPriority} was last called in. */
  public int topPriority() {
    return topPriority;
  }

  public int running() {
    return running;
  }

  /** What the running tasks count for, in hundredths of cores. */
  public long load() {
    return (long) running * Requirements.HUNDREDTHS + beyondOneCore;
  }

  /** A running task counts for so much more than a core, or less. */
  public void weighs(long hundredths) {
    beyondOneCore += hundredths;
  }

  /** Tasks that are not settled. */
  public long live() {
    return live;
  }

  /** So many more tasks are not settled, or less. */
  public void lives(long tasks) {
    live += tasks;
  }

  public void ran(int tasks) {
    running += tasks;
  }

  /** So many more of the running tasks wait for others and need no slot, or less. */
  public void waits(int tasks) {
    waiting += tasks;
  }

  public int busy() {
    return running - Math.min(running, waiting);
  }

  public void most(int slots) {
    most = slots;
  }

  public int most() {
    return most;
  }

  public boolean hasRoomFor(int tasks) {
    return tasks <= most - busy();
  }

  public boolean isFull() {
    return busy() >= most;
  }
}
