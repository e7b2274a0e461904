package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.Bits;
import dev.imker.planner.internal.basics.Stopwatch;
import java.util.Arrays;

/** Computes which pairs of propositions exclude each other at the next level of a graph. */
final class PairExpansion {
  private final PlanningGraph graph;
  private final Stopwatch stopwatch;
  private final long[] badPreconditions;
  private final long[] badAdds;
  private final long[] badDeletes;
  private final int[] stamps;
  private final boolean[] compatible;
  private final boolean[] dirty;
  private boolean[] changed;
  private boolean changedSomething;
  private int stamp;

  PairExpansion(PlanningGraph graph, Stopwatch stopwatch) {
    this.graph = graph;
    this.stopwatch = stopwatch;
    badPreconditions = Bits.ofSize(graph.propositionCount);
    badAdds = Bits.ofSize(graph.propositionCount);
    badDeletes = Bits.ofSize(graph.propositionCount);
    stamps = new int[graph.preconditions.length];
    compatible = new boolean[graph.preconditions.length];
    dirty = new boolean[graph.preconditions.length];
    changed = new boolean[graph.propositionCount];
  }

  boolean changedSomething() {
    return changedSomething;
  }

  /**
   * @param rows the mutexes at {@code level}; rows that do not change are taken over as they are
   */
  long[][] nextMutexes(long[][] rows, int level) {
    markDirty(level);
    long[][] next = rows.clone();
    boolean[] owned = new boolean[next.length];
    changed = new boolean[next.length];
    changedSomething = false;
    addNewPropositions(next, owned, level + 1);
    for (int a = 0; a < dirty.length; a++) {
      if (dirty[a]) {
        stopwatch.check();
        clearWhatGoesWith(a, rows, next, owned, level);
      }
    }
    return next;
  }

  private void markDirty(int level) {
    for (int a = 0; a < dirty.length; a++) {
      dirty[a] = graph.actionLevel[a] == level;
      if (graph.actionLevel[a] < level) {
        for (int p : graph.preconditions[a]) {
          dirty[a] |= changed[p];
        }
      }
    }
  }

  /** A new proposition excludes all others until a pair of actions shows that it need not. */
  private void addNewPropositions(long[][] next, boolean[] owned, int level) {
    long[] present = Bits.ofSize(next.length);
    for (int p = 0; p < next.length; p++) {
      if (graph.propositionLevel[p] <= level) {
        Bits.set(present, p);
      }
    }
    for (int p = 0; p < next.length; p++) {
      if (graph.propositionLevel[p] == level) {
        next[p] = present.clone();
        Bits.clear(next[p], p);
        owned[p] = true;
        changed[p] = true;
        changedSomething = true;
      }
    }
    for (int p = 0; p < next.length; p++) {
      if (graph.propositionLevel[p] == level) {
        for (int q : Bits.members(next[p])) {
          Bits.set(own(next, owned, q), p);
        }
      }
    }
  }

  private static long[] own(long[][] rows, boolean[] owned, int p) {
    if (!owned[p]) {
      owned[p] = true;
      rows[p] = rows[p].clone();
    }
    return rows[p];
  }

  private void clearWhatGoesWith(int a, long[][] rows, long[][] next, boolean[] owned, int level) {
    prepare(a, rows);
    boolean isNew = graph.actionLevel[a] == level;
    for (int p : graph.adds[a]) {
      for (int q : Bits.members(next[p])) {
        if (hasPartner(a, isNew, q, level)) {
          Bits.clear(own(next, owned, p), q);
          Bits.clear(own(next, owned, q), p);
          changed[p] = true;
          changed[q] = true;
          changedSomething = true;
        }
      }
    }
  }

  private void prepare(int a, long[][] rows) {
    Arrays.fill(badPreconditions, 0);
    Arrays.fill(badAdds, 0);
    Arrays.fill(badDeletes, 0);
    for (int p : graph.preconditions[a]) {
      Bits.or(badPreconditions, rows[p]);
      Bits.set(badDeletes, p);
    }
    for (int p : graph.adds[a]) {
      Bits.set(badDeletes, p);
    }
    for (int p : graph.deletes[a]) {
      Bits.set(badPreconditions, p);
      Bits.set(badAdds, p);
    }
    stamp++;
    stamps[a] = stamp;
    compatible[a] = true;
  }

  private boolean hasPartner(int a, boolean isNew, int q, int level) {
    for (int b : graph.producers[q]) {
      if (graph.actionLevel[b] <= level && (isNew || dirty[b] || b == a) && isCompatible(b)) {
        return true;
      }
    }
    return false;
  }

  private boolean isCompatible(int b) {
    if (stamps[b] != stamp) {
      stamps[b] = stamp;
      compatible[b] =
          !Bits.containsAny(badPreconditions, graph.preconditions[b])
              && !Bits.containsAny(badAdds, graph.adds[b])
              && !Bits.containsAny(badDeletes, graph.deletes[b]);
    }
    return compatible[b];
  }
}
