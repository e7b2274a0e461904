package dev.imker.core.internal.queues;

/**
 * Bounds how long a project with work that fits can be left out, whatever the strategy prefers. A
 * round is as many grants as there are nodes that are up and projects that have work for the slot.
 * A project that got nothing for its number of rounds gets the next slot that fits it: soon if it
 * has so few tasks that they would not keep the nodes busy, later if it has many, for then a
 * strategy leaves it out to send its tasks to nodes that will finish them. So at most one slot in
 * {@value #ROUNDS} goes by age, and far fewer where nodes outnumber projects. A few candidates are
 * looked at for every slot, in turn: a decision costs the same however many there are, and each is
 * looked at once within a round.
 */
public final class Ageing {
  public static final int NONE = -1;

  /**
   * How many rounds a project can be left out that has no more READY tasks than there are nodes.
   */
  static final int ROUNDS = 8;

  /** How many rounds any project can be left out. */
  static final int MAX_ROUNDS = 32;

  private static final int LOOKS = 8;

  private int next;

  /** The position of a candidate that was left out for too long; {@link #NONE} without one. */
  public int overdue(Candidates candidates, int nodesUp, long grants) {
    int size = candidates.size();
    if (size < 2) {
      return NONE;
    }
    for (int i = 0; i < Math.min(LOOKS, size); i++) {
      next = (next + 1) % size;
      ProjectQueues project = candidates.queues(next);
      int rounds = project.ready() <= nodesUp ? ROUNDS : MAX_ROUNDS;
      if (grants - project.servedAt() > (long) rounds * (nodesUp + size)) {
        return next;
      }
    }
    return NONE;
  }
}
