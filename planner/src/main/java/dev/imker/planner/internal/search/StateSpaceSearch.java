package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.Bits;
import dev.imker.planner.internal.basics.IntList;
import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.planner.internal.ground.GroundAction;
import dev.imker.planner.internal.ground.GroundTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the states themselves, breadth first, one parallel step at a time. Where few states
 * can be reached this is both the fastest way to a shortest plan and a proof that there is none. Of
 * states that differ only by interchangeable objects one is looked at.
 */
final class StateSpaceSearch {
  /** There are more states than the limits allow; nothing is proved. */
  static final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLarge() {
      super("too many states", null, false, false);
    }
  }

  /** Receives the sets of actions that can be taken together in a state. */
  private interface StepVisitor {
    /** Whether to go on. */
    boolean visit(IntList step, long[] successor);
  }

  private final GroundTask task;
  private final Stopwatch stopwatch;
  private final Symmetries symmetries;
  private final int words;
  private final long maxStates;
  private final long[][] conflicts;
  private final int[] applicable;
  private long stepsLeft;
  private int applicableCount;

  /**
   * @param maxSteps how many successors may be made before giving up
   */
  StateSpaceSearch(GroundTask task, Symmetries symmetries, long maxSteps, Stopwatch stopwatch) {
    this.task = task;
    this.stopwatch = stopwatch;
    this.stepsLeft = maxSteps;
    this.words = Bits.ofSize(task.propositionCount()).length;
    this.maxStates = Runtime.getRuntime().maxMemory() / 4 / (16L * words + 24);
    this.symmetries = symmetries;
    this.conflicts = new long[task.actionCount()][];
    this.applicable = new int[task.actionCount()];
  }

  /**
   * A shortest plan, or null if there is none of any length.
   *
   * @throws TooLarge when the limits do not suffice to tell
   */
  @Nullable List<int[]> search() {
    StateSet normalForms = new StateSet(words);
    StateSet states = symmetries.isEmpty() ? normalForms : new StateSet(words);
    IntList parents = new IntList();
    long[] start = Bits.of(task.propositionCount(), task.init);
    add(start, normalForms, states);
    parents.add(-1);
    int[] found = {-1};
    for (int next = 0; next < states.size(); next++) {
      int parent = next;
      forEachStep(
          states.get(next),
          (_, successor) -> {
            if (add(successor, normalForms, states)) {
              parents.add(parent);
              if (Bits.contains(successor, task.goal)) {
                found[0] = states.size() - 1;
                return false;
              }
            }
            return true;
          });
      if (found[0] >= 0) {
        return pathTo(found[0], states, parents);
      }
    }
    return null;
  }

  private boolean add(long[] state, StateSet normalForms, StateSet states) {
    if (symmetries.isEmpty()) {
      return countNew(states.add(state), states);
    }
    boolean isNew = normalForms.add(symmetries.normalForm(state));
    if (isNew) {
      states.add(state);
    }
    return countNew(isNew, states);
  }

  private boolean countNew(boolean isNew, StateSet states) {
    if (states.size() > maxStates) {
      throw new TooLarge();
    }
    return isNew;
  }

  /**
   * Whether the goal can be reached at all, by single actions in any order.
   *
   * @throws TooLarge when the limits do not suffice to tell
   */
  boolean isGoalReachable() {
    StateSet normalForms = new StateSet(words);
    long[] start = symmetries.normalForm(Bits.of(task.propositionCount(), task.init));
    normalForms.add(start);
    for (int next = 0; next < normalForms.size(); next++) {
      long[] state = normalForms.get(next);
      findApplicable(state);
      for (int i = 0; i < applicableCount; i++) {
        countStep();
        long[] successor = state.clone();
        apply(applicable[i], successor);
        if (Bits.contains(successor, task.goal)) {
          return true;
        }
        countNew(normalForms.add(symmetries.normalForm(successor)), normalForms);
      }
    }
    return false;
  }

  private List<int[]> pathTo(int last, StateSet states, IntList parents) {
    stepsLeft = Long.MAX_VALUE;
    List<int[]> plan = new ArrayList<>();
    for (int number = last; parents.get(number) >= 0; number = parents.get(number)) {
      long[] target = states.get(number);
      forEachStep(
          states.get(parents.get(number)),
          (step, successor) -> {
            if (Arrays.equals(successor, target)) {
              plan.add(step.toArray());
              return false;
            }
            return true;
          });
    }
    Collections.reverse(plan);
    return plan;
  }

  private void findApplicable(long[] state) {
    applicableCount = 0;
    for (int a = 0; a < applicable.length; a++) {
      GroundAction action = task.actions.get(a);
      if (Bits.contains(state, action.preconditions) && !Bits.contains(state, action.adds)) {
        applicable[applicableCount++] = a;
      }
    }
  }

  private void apply(int action, long[] state) {
    for (int p : task.actions.get(action).deletes) {
      Bits.clear(state, p);
    }
    for (int p : task.actions.get(action).adds) {
      Bits.set(state, p);
    }
  }

  private void countStep() {
    stopwatch.check();
    if (--stepsLeft < 0) {
      throw new TooLarge();
    }
  }

  private void forEachStep(long[] state, StepVisitor visitor) {
    findApplicable(state);
    int[] candidates = Arrays.copyOf(applicable, applicableCount);
    long[] base = state.clone();
    IntList chosen = new IntList();
    int kept = 0;
    for (int a : candidates) {
      if (isAlwaysGood(a, candidates)) {
        chosen.add(a);
        apply(a, base);
      } else {
        candidates[kept++] = a;
      }
    }
    if (chosen.size() > 0 && !visitor.visit(chosen, base)) {
      return;
    }
    extend(base, Arrays.copyOf(candidates, kept), 0, chosen, visitor);
  }

  /** An action that deletes nothing and hinders no other can as well be taken. */
  private boolean isAlwaysGood(int action, int[] candidates) {
    if (task.actions.get(action).deletes.length > 0) {
      return false;
    }
    long[] row = conflictsOf(action);
    for (int other : candidates) {
      if (Bits.get(row, other)) {
        return false;
      }
    }
    return true;
  }

  private boolean extend(
      long[] state, int[] candidates, int from, IntList chosen, StepVisitor visitor) {
    for (int i = from; i < candidates.length; i++) {
      if (goesWith(candidates[i], chosen)) {
        countStep();
        long[] successor = state.clone();
        apply(candidates[i], successor);
        chosen.add(candidates[i]);
        if (!visitor.visit(chosen, successor)
            || !extend(successor, candidates, i + 1, chosen, visitor)) {
          return false;
        }
        chosen.truncate(chosen.size() - 1);
      }
    }
    return true;
  }

  private boolean goesWith(int action, IntList chosen) {
    long[] row = conflictsOf(action);
    for (int i = 0; i < chosen.size(); i++) {
      if (Bits.get(row, chosen.get(i))) {
        return false;
      }
    }
    return true;
  }

  private long[] conflictsOf(int action) {
    long[] row = conflicts[action];
    if (row == null) {
      row = Bits.ofSize(task.actionCount());
      for (int other = 0; other < conflicts.length; other++) {
        if (other != action && task.actions.get(action).interferesWith(task.actions.get(other))) {
          Bits.set(row, other);
        }
      }
      conflicts[action] = row;
    }
    return row;
  }
}
