package dev.imker.planner.internal.ground;

import dev.imker.planner.internal.basics.IntKey;
import dev.imker.planner.internal.basics.IntList;
import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.planner.pddl.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;

/**
 * Leaves out what no shortest plan needs: actions that can never be applied, that change nothing,
 * that contribute to no goal, or that do the same as another; then propositions that cannot matter.
 * A proposition that is added and deleted stays even if nothing requires it, since it keeps actions
 * from sharing a step.
 */
final class Simplification {
  private final List<Literal> literals;
  private final SortedSet<Integer> init;
  private final SortedSet<Integer> goal;
  private final Stopwatch stopwatch;
  private List<GroundAction> actions;

  private Simplification(
      List<Literal> literals,
      List<GroundAction> actions,
      SortedSet<Integer> init,
      SortedSet<Integer> goal,
      Stopwatch stopwatch) {
    this.literals = literals;
    this.actions = actions;
    this.init = init;
    this.goal = goal;
    this.stopwatch = stopwatch;
  }

  static GroundTask of(
      List<Literal> literals,
      List<GroundAction> actions,
      SortedSet<Integer> init,
      SortedSet<Integer> goal,
      boolean reachable,
      Stopwatch stopwatch) {
    return new Simplification(literals, actions, init, goal, stopwatch).simplify(reachable);
  }

  private GroundTask simplify(boolean reachable) {
    keepReachable();
    if (!reachable || !goal.stream().allMatch(reached()::get)) {
      return new GroundTask(List.of(), List.of(), new int[0], new int[0], false);
    }
    keepRelevant();
    int[] renumbered = renumber();
    return build(renumbered);
  }

  /** Every proposition that holds at some time if nothing is ever deleted. */
  private BitSet reached() {
    BitSet reached = new BitSet(literals.size());
    init.forEach(reached::set);
    actions.forEach(action -> Arrays.stream(action.adds).forEach(reached::set));
    return reached;
  }

  private void keepReachable() {
    int[] missing = new int[actions.size()];
    List<IntList> waiting = new ArrayList<>();
    for (int i = 0; i < literals.size(); i++) {
      waiting.add(new IntList());
    }
    BitSet reached = new BitSet(literals.size());
    IntList queue = new IntList();
    init.forEach(p -> reach(p, reached, queue));
    boolean[] applied = new boolean[actions.size()];
    for (int a = 0; a < missing.length; a++) {
      stopwatch.check();
      missing[a] = actions.get(a).preconditions.length;
      for (int precondition : actions.get(a).preconditions) {
        waiting.get(precondition).add(a);
      }
      if (missing[a] == 0) {
        applied[a] = true;
        Arrays.stream(actions.get(a).adds).forEach(p -> reach(p, reached, queue));
      }
    }
    for (int head = 0; head < queue.size(); head++) {
      IntList list = waiting.get(queue.get(head));
      for (int i = 0; i < list.size(); i++) {
        int a = list.get(i);
        if (--missing[a] == 0) {
          applied[a] = true;
          Arrays.stream(actions.get(a).adds).forEach(p -> reach(p, reached, queue));
        }
      }
    }
    List<GroundAction> kept = new ArrayList<>();
    for (int a = 0; a < applied.length; a++) {
      if (applied[a]) {
        kept.add(actions.get(a));
      }
    }
    actions = kept;
  }

  private static void reach(int proposition, BitSet reached, IntList queue) {
    if (!reached.get(proposition)) {
      reached.set(proposition);
      queue.add(proposition);
    }
  }

  private void keepRelevant() {
    BitSet relevant = new BitSet(literals.size());
    goal.forEach(relevant::set);
    boolean[] needed = new boolean[actions.size()];
    boolean changed = true;
    while (changed) {
      stopwatch.check();
      changed = false;
      for (int a = 0; a < needed.length; a++) {
        if (!needed[a] && contributes(actions.get(a), relevant)) {
          needed[a] = true;
          changed = true;
          Arrays.stream(actions.get(a).preconditions).forEach(relevant::set);
        }
      }
    }
    List<GroundAction> kept = new ArrayList<>();
    Set<List<IntKey>> seen = new HashSet<>();
    BitSet required = required(needed);
    for (int a = 0; a < needed.length; a++) {
      if (needed[a] && seen.add(effectKey(actions.get(a), required))) {
        kept.add(actions.get(a));
      }
    }
    actions = kept;
  }

  /** Propositions that matter: wanted or required by something, or both added and deleted. */
  private BitSet required(boolean[] needed) {
    BitSet required = new BitSet(literals.size());
    BitSet added = new BitSet(literals.size());
    BitSet deleted = new BitSet(literals.size());
    goal.forEach(required::set);
    for (int a = 0; a < needed.length; a++) {
      if (needed[a]) {
        Arrays.stream(actions.get(a).preconditions).forEach(required::set);
        Arrays.stream(actions.get(a).adds).forEach(added::set);
        Arrays.stream(actions.get(a).deletes).forEach(deleted::set);
      }
    }
    // The negation of an atom conflicts exactly where the atom itself does.
    for (int p = added.nextSetBit(0); p >= 0; p = added.nextSetBit(p + 1)) {
      if (deleted.get(p) && literals.get(p).positive()) {
        required.set(p);
      }
    }
    return required;
  }

  /** Whether the action makes something relevant true that its own conditions do not imply. */
  private static boolean contributes(GroundAction action, BitSet relevant) {
    for (int add : action.adds) {
      if (relevant.get(add) && Arrays.binarySearch(action.preconditions, add) < 0) {
        return true;
      }
    }
    return false;
  }

  private static List<IntKey> effectKey(GroundAction action, BitSet required) {
    return List.of(
        new IntKey(action.preconditions),
        new IntKey(only(action.adds, required)),
        new IntKey(only(action.deletes, required)));
  }

  private static int[] only(int[] propositions, BitSet required) {
    return Arrays.stream(propositions).filter(required::get).toArray();
  }

  /** New numbers of the propositions that matter, −1 for the others. */
  private int[] renumber() {
    boolean[] all = new boolean[actions.size()];
    Arrays.fill(all, true);
    BitSet required = required(all);
    int[] numbers = new int[literals.size()];
    Arrays.fill(numbers, -1);
    int next = 0;
    for (int p = required.nextSetBit(0); p >= 0; p = required.nextSetBit(p + 1)) {
      numbers[p] = next++;
    }
    return numbers;
  }

  private GroundTask build(int[] numbers) {
    List<Literal> kept = new ArrayList<>();
    for (int p = 0; p < numbers.length; p++) {
      if (numbers[p] >= 0) {
        kept.add(literals.get(p));
      }
    }
    List<GroundAction> renumbered = new ArrayList<>();
    for (GroundAction action : actions) {
      renumbered.add(
          new GroundAction(
              action.name(),
              action.arguments(),
              map(action.preconditions, numbers),
              map(action.adds, numbers),
              map(action.deletes, numbers)));
    }
    int[] start = map(init.stream().mapToInt(Integer::intValue).toArray(), numbers);
    int[] end = map(goal.stream().mapToInt(Integer::intValue).toArray(), numbers);
    return new GroundTask(kept, renumbered, start, end, true);
  }

  private static int[] map(int[] propositions, int[] numbers) {
    return Arrays.stream(propositions).map(p -> numbers[p]).filter(p -> p >= 0).toArray();
  }
}
