package dev.imker.planner.internal.sat;

import java.util.Arrays;

/** For each literal a list of int pairs: a clause to look at, and a literal that may satisfy it. */
final class Watches {
  private static final int[] NONE = new int[0];

  int[][] lists = new int[32][];
  int[] sizes = new int[32];

  void ensure(int literals) {
    if (literals > sizes.length) {
      lists = Arrays.copyOf(lists, Math.max(literals, sizes.length * 2));
      sizes = Arrays.copyOf(sizes, lists.length);
    }
    for (int i = literals - 2; i < literals; i++) {
      lists[i] = NONE;
    }
  }

  void add(int literal, int clause, int blocker) {
    int size = sizes[literal];
    if (size + 2 > lists[literal].length) {
      lists[literal] = Arrays.copyOf(lists[literal], Math.max(4, size * 2));
    }
    lists[literal][size] = clause;
    lists[literal][size + 1] = blocker;
    sizes[literal] = size + 2;
  }

  void addSingle(int literal, int implied) {
    int size = sizes[literal];
    if (size == lists[literal].length) {
      lists[literal] = Arrays.copyOf(lists[literal], Math.max(4, size * 2));
    }
    lists[literal][size] = implied;
    sizes[literal] = size + 1;
  }

  void clearAll() {
    Arrays.fill(sizes, 0);
  }
}
