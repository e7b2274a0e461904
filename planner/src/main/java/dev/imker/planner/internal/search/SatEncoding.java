package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.Bits;
import dev.imker.planner.internal.basics.IntList;
import dev.imker.planner.internal.sat.SatSolver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A planning graph as a formula that grows level by level: what the solver learnt about short plans
 * stays valid for longer ones. An action implies its preconditions before and its effects after; a
 * proposition that holds held before or is made true, one that no longer holds was deleted; actions
 * that interfere and propositions that the graph shows to be mutex exclude each other. The goal is
 * only assumed.
 */
final class SatEncoding {
  private final PlanningGraph graph;
  private final SatSolver solver;
  private final List<int[]> propositionVariables = new ArrayList<>();
  private final List<int[]> actionVariables = new ArrayList<>();
  private final int[][] interfering;
  private final int[][] deleters;

  SatEncoding(PlanningGraph graph, SatSolver solver) {
    this.graph = graph;
    this.solver = solver;
    interfering = interferingActions();
    deleters = deletersOfEach();
    int[] start = new int[graph.propositionCount];
    for (int p = 0; p < start.length; p++) {
      if (graph.propositionLevel[p] == 0) {
        start[p] = solver.newVariable();
        solver.addClause(start[p]);
      }
    }
    propositionVariables.add(start);
  }

  /** Pairs in which one deletes a precondition of the other; clashing effects need no clause. */
  private int[][] interferingActions() {
    IntList[] consumers = new IntList[graph.propositionCount];
    Arrays.setAll(consumers, _ -> new IntList());
    for (int a = 0; a < graph.actionCount; a++) {
      for (int p : graph.preconditions[a]) {
        consumers[p].add(a);
      }
    }
    int[][] result = new int[graph.actionCount][];
    for (int a = 0; a < result.length; a++) {
      IntList others = new IntList();
      long[] seen = Bits.ofSize(graph.actionCount);
      Bits.set(seen, a);
      for (int deleted : graph.deletes[a]) {
        for (int i = 0; i < consumers[deleted].size(); i++) {
          int other = consumers[deleted].get(i);
          if (!Bits.get(seen, other)) {
            Bits.set(seen, other);
            if (!haveClashingEffects(a, other)) {
              others.add(other);
            }
          }
        }
      }
      result[a] = others.toArray();
    }
    return result;
  }

  private boolean haveClashingEffects(int a, int b) {
    return intersect(graph.deletes[a], graph.adds[b]) || intersect(graph.deletes[b], graph.adds[a]);
  }

  private static boolean intersect(int[] sorted, int[] others) {
    return Arrays.stream(others).anyMatch(p -> Arrays.binarySearch(sorted, p) >= 0);
  }

  private int[][] deletersOfEach() {
    IntList[] lists = new IntList[graph.propositionCount];
    Arrays.setAll(lists, _ -> new IntList());
    for (int a = 0; a < graph.actionCount; a++) {
      for (int p : graph.deletes[a]) {
        lists[p].add(a);
      }
    }
    return Arrays.stream(lists).map(IntList::toArray).toArray(int[][]::new);
  }

  /**
   * Looks for a plan of exactly {@code level} steps; the graph must have that many levels.
   *
   * @return the actions of each step, or null if there is no such plan
   */
  @Nullable List<int[]> search(int level) {
    encodeTo(level);
    int[] variables = propositionVariables.get(level);
    int[] goal = Arrays.stream(graph.task().goal).map(p -> variables[p]).toArray();
    if (!solver.isSatisfiable(goal)) {
      solver.addClause(Arrays.stream(goal).map(g -> -g).toArray());
      return null;
    }
    List<int[]> plan = new ArrayList<>();
    for (int layer = 0; layer < level; layer++) {
      int[] actions = actionVariables.get(layer);
      IntList step = new IntList();
      for (int a = 0; a < actions.length; a++) {
        if (actions[a] != 0 && solver.isTrue(actions[a])) {
          step.add(a);
        }
      }
      plan.add(step.toArray());
    }
    return plan;
  }

  /**
   * Adds what a plan of the encoded length weighs to a sum.
   *
   * @param weights of the actions
   * @param together whether of each step only the heaviest action counts
   */
  void weigh(long[] weights, boolean together, BinarySum sum) {
    long[] different = Arrays.stream(weights).filter(w -> w > 0).sorted().distinct().toArray();
    for (int[] actions : actionVariables) {
      int[] atLeast = new int[different.length];
      for (int k = 0; together && k < atLeast.length; k++) {
        atLeast[k] = solver.newVariable();
        sum.add(atLeast[k], different[k] - (k == 0 ? 0 : different[k - 1]));
        if (k > 0) {
          solver.addClause(-atLeast[k], atLeast[k - 1]);
        }
      }
      for (int a = 0; a < weights.length; a++) {
        if (actions[a] != 0 && weights[a] > 0) {
          if (together) {
            solver.addClause(-actions[a], atLeast[Arrays.binarySearch(different, weights[a])]);
          } else {
            sum.add(actions[a], weights[a]);
          }
        }
      }
    }
  }

  void encodeTo(int level) {
    while (propositionVariables.size() <= level) {
      encodeLayer(propositionVariables.size() - 1);
    }
  }

  private void encodeLayer(int layer) {
    int[] before = propositionVariables.get(layer);
    int[] after = new int[graph.propositionCount];
    for (int p = 0; p < after.length; p++) {
      if (graph.propositionLevel[p] <= layer + 1) {
        after[p] = solver.newVariable();
      }
    }
    int[] actions = new int[graph.actionCount];
    for (int a = 0; a < actions.length; a++) {
      if (graph.actionLevel[a] <= layer) {
        actions[a] = solver.newVariable();
        encodeAction(a, actions[a], before, after);
      }
    }
    encodeInterference(actions, layer);
    encodeFrames(before, actions, after);
    encodePersistence(before, actions, after);
    encodeMutexes(after, layer + 1);
    propositionVariables.add(after);
    actionVariables.add(actions);
  }

  private void encodeAction(int a, int variable, int[] before, int[] after) {
    for (int p : graph.preconditions[a]) {
      solver.addClause(-variable, before[p]);
    }
    for (int p : graph.adds[a]) {
      solver.addClause(-variable, after[p]);
    }
    for (int p : graph.deletes[a]) {
      if (after[p] != 0) {
        solver.addClause(-variable, -after[p]);
      }
    }
  }

  /** Competing needs need no clause either: the mutexes of the preconditions say the same. */
  private void encodeInterference(int[] actions, int layer) {
    for (int a = 0; a < actions.length; a++) {
      if (actions[a] != 0) {
        for (int b : interfering[a]) {
          if (actions[b] != 0 && !graph.haveCompetingNeeds(a, b, layer)) {
            solver.addClause(-actions[a], -actions[b]);
          }
        }
      }
    }
  }

  private void encodeFrames(int[] before, int[] actions, int[] after) {
    IntList clause = new IntList();
    for (int p = 0; p < after.length; p++) {
      if (after[p] != 0) {
        clause.clear();
        clause.add(-after[p]);
        if (before[p] != 0) {
          clause.add(before[p]);
        }
        for (int a : graph.producers[p]) {
          if (!graph.isFrame(a) && actions[a] != 0) {
            clause.add(actions[a]);
          }
        }
        solver.addClause(clause.toArray());
      }
    }
  }

  /** What held and holds no longer was deleted; not needed for plans, but shortens proofs. */
  private void encodePersistence(int[] before, int[] actions, int[] after) {
    IntList clause = new IntList();
    for (int p = 0; p < after.length; p++) {
      if (before[p] != 0) {
        clause.clear();
        clause.add(-before[p]);
        clause.add(after[p]);
        for (int a : deleters[p]) {
          if (actions[a] != 0) {
            clause.add(actions[a]);
          }
        }
        solver.addClause(clause.toArray());
      }
    }
  }

  private void encodeMutexes(int[] variables, int level) {
    for (int p = 0; p < variables.length; p++) {
      if (variables[p] != 0) {
        for (int q : Bits.members(graph.mutexRow(p, level))) {
          if (q < p && variables[q] != 0) {
            solver.addClause(-variables[p], -variables[q]);
          }
        }
      }
    }
  }
}
