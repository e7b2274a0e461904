package dev.imker.planner.internal.sat;

import java.util.Arrays;

/**
 * Clauses of three and more literals one after the other in a single array, learnt and given ones
 * alike. A clause is named by where it starts: its length, its mark, then its literals.
 */
final class ClauseStore {
  private static final int HEADER = 2;
  private static final int DELETED = -1;

  /** The mark of a given clause; the mark of a learnt one is how many levels it connects. */
  static final int GIVEN = 0;

  private int[] memory = new int[1 << 12];
  private int end;
  private int wasted;

  int add(int[] literals, int length, int mark) {
    if (end + HEADER + length > memory.length) {
      memory =
          Arrays.copyOf(
              memory,
              Math.max(
                  end + HEADER + length,
                  (int) Math.min(Integer.MAX_VALUE - 16L, memory.length * 2L)));
    }
    int clause = end;
    memory[end++] = length;
    memory[end++] = mark;
    System.arraycopy(literals, 0, memory, end, length);
    end += length;
    return clause;
  }

  int[] memory() {
    return memory;
  }

  static int firstLiteral(int clause) {
    return clause + HEADER;
  }

  int length(int clause) {
    return memory[clause];
  }

  int mark(int clause) {
    return memory[clause + 1];
  }

  boolean isDeleted(int clause) {
    return memory[clause + 1] == DELETED;
  }

  void delete(int clause) {
    wasted += HEADER + memory[clause];
    memory[clause + 1] = DELETED;
  }

  int first() {
    return 0;
  }

  int next(int clause) {
    return clause + HEADER + memory[clause];
  }

  int end() {
    return end;
  }

  boolean shouldCompact() {
    return wasted > end / 3;
  }

  /** Closes the gaps of deleted clauses; all clauses get new names. */
  void compact() {
    int to = 0;
    int clause = 0;
    while (clause < end) {
      int next = next(clause);
      if (!isDeleted(clause)) {
        System.arraycopy(memory, clause, memory, to, next - clause);
        to += next - clause;
      }
      clause = next;
    }
    end = to;
    wasted = 0;
  }
}
