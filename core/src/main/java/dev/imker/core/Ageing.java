package dev.imker.core;

/**
 * Bounds how long a project with work that fits can be left out, whatever the strategy prefers. A
 * round is as many grants as there are nodes that are up and projects that have work for the slot;
 * a project that got nothing for {@link #ROUNDS} rounds gets the next slot that fits it. So at most
 * one slot in {@value #ROUNDS} goes by age, and far fewer where nodes outnumber projects. A few
 * candidates are looked at for every slot, in turn: a decision costs the same however many there
 * are, and each is looked at once within a round.
 */
final class Ageing {
  static final int NONE = -1;

  /** How many rounds a project can be left out. */
  static final int ROUNDS = 8;

  private static final int LOOKS = 8;

  private int next;

  /** The position of a candidate that was left out for too long; {@link #NONE} without one. */
  int overdue(Candidates candidates, int nodesUp, long grants) {
    int size = candidates.size();
    if (size < 2) {
      return NONE;
    }
    long patience = (long) ROUNDS * (nodesUp + size);
    for (int i = 0; i < Math.min(LOOKS, size); i++) {
      next = (next + 1) % size;
      if (grants - candidates.queues(next).servedAt() > patience) {
        return next;
      }
    }
    return NONE;
  }
}
