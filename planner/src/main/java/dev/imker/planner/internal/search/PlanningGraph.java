package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.Bits;
import dev.imker.planner.internal.basics.IntList;
import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.planner.internal.ground.GroundAction;
import dev.imker.planner.internal.ground.GroundTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Alternating levels of propositions and actions with all mutex relations (Blum and Furst, 1995).
 *
 * <p>Level 0 is the start state; the actions of layer t lead from level t to level t + 1. Between
 * levels propositions and actions only ever appear and mutexes only ever disappear, so a level is
 * kept as the difference to the one before: rows of mutexes are shared until they change, and a
 * pair of actions is looked at again only if the mutexes of a precondition on both sides changed.
 * Frame actions have numbers after the real ones: {@code actionCount() + proposition}.
 */
public final class PlanningGraph {
  static final int NEVER = Integer.MAX_VALUE;

  private final GroundTask task;
  private final Stopwatch stopwatch;
  final int propositionCount;
  final int actionCount;
  final int[][] preconditions;
  final int[][] adds;
  final int[][] deletes;
  final int[] propositionLevel;
  final int[] actionLevel;
  final int[][] producers;
  private final List<long[][]> mutexes = new ArrayList<>();
  private final PairExpansion expansion;
  private int levels;
  private int levelledOffAt = NEVER;

  public PlanningGraph(GroundTask task, Stopwatch stopwatch) {
    this.task = task;
    this.stopwatch = stopwatch;
    propositionCount = task.propositionCount();
    actionCount = task.actionCount();
    int all = actionCount + propositionCount;
    preconditions = new int[all][];
    adds = new int[all][];
    deletes = new int[all][];
    IntList[] producing = new IntList[propositionCount];
    for (int p = 0; p < propositionCount; p++) {
      int frame = actionCount + p;
      preconditions[frame] = new int[] {p};
      adds[frame] = preconditions[frame];
      deletes[frame] = new int[0];
      producing[p] = new IntList();
      producing[p].add(frame);
    }
    for (int a = 0; a < actionCount; a++) {
      GroundAction action = task.actions.get(a);
      preconditions[a] = action.preconditions;
      adds[a] = action.adds;
      deletes[a] = action.deletes;
      for (int add : action.adds) {
        producing[add].add(a);
      }
    }
    producers = Arrays.stream(producing).map(IntList::toArray).toArray(int[][]::new);
    propositionLevel = new int[propositionCount];
    actionLevel = new int[all];
    Arrays.fill(propositionLevel, NEVER);
    Arrays.fill(actionLevel, NEVER);
    long[][] none = new long[propositionCount][];
    Arrays.fill(none, Bits.ofSize(propositionCount));
    mutexes.add(none);
    for (int p : task.init) {
      propositionLevel[p] = 0;
    }
    expansion = new PairExpansion(this, stopwatch);
  }

  GroundTask task() {
    return task;
  }

  /** The number of the last level; 0 right after construction. */
  public int lastLevel() {
    return levels;
  }

  /** The first level from which on nothing changes, {@link #NEVER} if not known yet. */
  int levelledOffAt() {
    return levelledOffAt;
  }

  public boolean hasLevelledOff() {
    return levelledOffAt != NEVER;
  }

  /** Adds one level. */
  public void expand() {
    if (hasLevelledOff()) {
      levels++;
      return;
    }
    boolean newActions = false;
    for (int a = 0; a < preconditions.length; a++) {
      stopwatch.check();
      if (actionLevel[a] == NEVER && isApplicable(a)) {
        actionLevel[a] = levels;
        newActions |= a < actionCount;
      }
    }
    boolean newPropositions = false;
    for (int a = 0; a < actionCount; a++) {
      if (actionLevel[a] == levels) {
        for (int add : adds[a]) {
          if (propositionLevel[add] == NEVER) {
            propositionLevel[add] = levels + 1;
            newPropositions = true;
          }
        }
      }
    }
    long[][] next = expansion.nextMutexes(mutexes.getLast(), levels);
    boolean changed = expansion.changedSomething();
    if (!newActions && !newPropositions && !changed) {
      levelledOffAt = levels;
    } else {
      mutexes.add(next);
    }
    levels++;
  }

  private boolean isApplicable(int action) {
    return areJointlyPossible(preconditions[action], levels);
  }

  /** Whether the propositions are all present at a level and no two of them mutex. */
  boolean areJointlyPossible(int[] propositions, int level) {
    for (int i = 0; i < propositions.length; i++) {
      if (propositionLevel[propositions[i]] > level) {
        return false;
      }
      long[] row = mutexRow(propositions[i], level);
      for (int j = 0; j < i; j++) {
        if (Bits.get(row, propositions[j])) {
          return false;
        }
      }
    }
    return true;
  }

  public boolean isGoalPossible() {
    return areJointlyPossible(task.goal, levels);
  }

  /** The propositions mutex with the given one at a level, as a set not to be changed. */
  long[] mutexRow(int proposition, int level) {
    return mutexes.get(Math.min(level, mutexes.size() - 1))[proposition];
  }

  /** Whether one action deletes what the other requires or adds. */
  boolean interfere(int a, int b) {
    return deletesNeeded(a, b) || deletesNeeded(b, a);
  }

  private boolean deletesNeeded(int deleter, int other) {
    for (int deleted : deletes[deleter]) {
      if (Arrays.binarySearch(preconditions[other], deleted) >= 0
          || Arrays.binarySearch(adds[other], deleted) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether preconditions of the two actions exclude each other at a level. */
  boolean haveCompetingNeeds(int a, int b, int level) {
    for (int p : preconditions[a]) {
      if (Bits.containsAny(mutexRow(p, level), preconditions[b])) {
        return true;
      }
    }
    return false;
  }

  boolean isFrame(int action) {
    return action >= actionCount;
  }

  /** The propositions that appear first at a level, as PDDL. */
  public List<String> newPropositionsAt(int level) {
    return IntStream.range(0, propositionCount)
        .filter(p -> propositionLevel[p] == level)
        .mapToObj(p -> task.propositions.get(p).toString())
        .toList();
  }

  /** The real actions that appear first in the layer after a level, as PDDL. */
  public List<String> newActionsAt(int level) {
    return IntStream.range(0, actionCount)
        .filter(a -> actionLevel[a] == level)
        .mapToObj(a -> task.actions.get(a).toString())
        .toList();
  }

  public int propositionsAt(int level) {
    return (int) Arrays.stream(propositionLevel).filter(first -> first <= level).count();
  }

  /** Real actions in the layer between a level and the next. */
  public int actionsAt(int level) {
    return (int) Arrays.stream(actionLevel, 0, actionCount).filter(first -> first <= level).count();
  }

  /** Pairs of propositions that exclude each other at a level. */
  public int mutexesAt(int level) {
    return IntStream.range(0, propositionCount).map(p -> Bits.cardinality(mutexRow(p, level))).sum()
        / 2;
  }

  /** Some of the pairs of propositions that exclude each other at a level, as PDDL. */
  public List<String> somePairsAt(int level, int most) {
    List<String> pairs = new ArrayList<>();
    for (int p = 0; p < propositionCount && pairs.size() < most; p++) {
      for (int q = p + 1; q < propositionCount && pairs.size() < most; q++) {
        if (Bits.get(mutexRow(p, level), q)) {
          pairs.add(task.propositions.get(p) + " × " + task.propositions.get(q));
        }
      }
    }
    return pairs;
  }
}
