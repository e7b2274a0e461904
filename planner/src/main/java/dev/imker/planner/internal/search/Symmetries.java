package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.Bits;
import dev.imker.planner.internal.basics.IntKey;
import dev.imker.planner.internal.basics.IntList;
import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.planner.internal.ground.GroundAction;
import dev.imker.planner.internal.ground.GroundTask;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Objects that are interchangeable: swapping two of them maps the actions and the goal onto
 * themselves. Then states that differ only by such swaps are equally far from the goal, and a
 * search needs to look at one of them.
 */
final class Symmetries {
  private final GroundTask task;
  private final Map<Literal, Integer> numbers = new HashMap<>();
  private final Map<String, IntList> propositionsOf = new HashMap<>();
  private final Set<List<IntKey>> actions = new HashSet<>();
  private final IntList[] actionsOf;

  /** For each class of objects: a row per object of corresponding propositions. */
  private final List<int[][]> classes = new ArrayList<>();

  Symmetries(GroundTask task, Stopwatch stopwatch) {
    this.task = task;
    actionsOf = new IntList[task.propositionCount()];
    Arrays.setAll(actionsOf, _ -> new IntList());
    for (int p = 0; p < task.propositionCount(); p++) {
      Literal literal = task.propositions.get(p);
      numbers.put(literal, p);
      for (String object : Set.copyOf(literal.atom().terms())) {
        propositionsOf.computeIfAbsent(object, _ -> new IntList()).add(p);
      }
    }
    for (int a = 0; a < task.actionCount(); a++) {
      GroundAction action = task.actions.get(a);
      actions.add(key(action.preconditions, action.adds, action.deletes));
      for (int[] part : List.of(action.preconditions, action.adds, action.deletes)) {
        for (int p : part) {
          actionsOf[p].add(a);
        }
      }
    }
    findClasses(stopwatch);
  }

  boolean isEmpty() {
    return classes.isEmpty();
  }

  private static List<IntKey> key(int[] preconditions, int[] adds, int[] deletes) {
    return List.of(new IntKey(preconditions), new IntKey(adds), new IntKey(deletes));
  }

  private void findClasses(Stopwatch stopwatch) {
    Map<Map<List<Object>, Integer>, List<List<String>>> bySignature = new HashMap<>();
    for (String object : propositionsOf.keySet().stream().sorted().toList()) {
      stopwatch.check();
      List<List<String>> groups =
          bySignature.computeIfAbsent(signature(object), _ -> new ArrayList<>());
      boolean placed = false;
      for (List<String> group : groups) {
        if (areInterchangeable(group.getFirst(), object)) {
          group.add(object);
          placed = true;
          break;
        }
      }
      if (!placed) {
        groups.add(new ArrayList<>(List.of(object)));
      }
    }
    bySignature.values().stream()
        .flatMap(List::stream)
        .filter(group -> group.size() > 1)
        .forEach(this::addClass);
  }

  /** How often the object occurs where; interchangeable objects agree in this. */
  private Map<List<Object>, Integer> signature(String object) {
    Map<List<Object>, Integer> counts = new HashMap<>();
    IntList list = propositionsOf.getOrDefault(object, new IntList());
    for (int i = 0; i < list.size(); i++) {
      Literal literal = task.propositions.get(list.get(i));
      int position = literal.atom().terms().indexOf(object);
      boolean goal = Arrays.binarySearch(task.goal, list.get(i)) >= 0;
      counts.merge(
          List.of(literal.atom().predicate(), position, literal.positive(), goal), 1, Integer::sum);
    }
    return counts;
  }

  private boolean areInterchangeable(String x, String y) {
    Map<Integer, Integer> swap = new HashMap<>();
    for (String object : List.of(x, y)) {
      IntList list = propositionsOf.getOrDefault(object, new IntList());
      for (int i = 0; i < list.size(); i++) {
        Integer image = numbers.get(swapped(task.propositions.get(list.get(i)), x, y));
        if (image == null) {
          return false;
        }
        swap.put(list.get(i), image);
      }
    }
    if (!Arrays.equals(mapped(task.goal, swap), task.goal)) {
      return false;
    }
    Set<Integer> seen = new HashSet<>();
    for (int p : swap.keySet()) {
      for (int i = 0; i < actionsOf[p].size(); i++) {
        int a = actionsOf[p].get(i);
        if (seen.add(a) && !hasImage(task.actions.get(a), swap)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean hasImage(GroundAction action, Map<Integer, Integer> swap) {
    return actions.contains(
        key(
            mapped(action.preconditions, swap),
            mapped(action.adds, swap),
            mapped(action.deletes, swap)));
  }

  private static int[] mapped(int[] propositions, Map<Integer, Integer> swap) {
    return Arrays.stream(propositions).map(p -> swap.getOrDefault(p, p)).sorted().toArray();
  }

  private static Literal swapped(Literal literal, String x, String y) {
    List<String> terms =
        literal.atom().terms().stream().map(t -> t.equals(x) ? y : t.equals(y) ? x : t).toList();
    return new Literal(new Atom(literal.atom().predicate(), terms), literal.positive());
  }

  /** Classes whose members occur together in a proposition have no independent rows: left out. */
  private void addClass(List<String> members) {
    int[][] rows = new int[members.size()][];
    for (int m = 0; m < rows.length; m++) {
      int[] row = row(members, members.get(m));
      if (row == null) {
        return;
      }
      rows[m] = row;
    }
    classes.add(rows);
  }

  private int @Nullable [] row(List<String> members, String member) {
    String first = members.getFirst();
    IntList list = propositionsOf.getOrDefault(first, new IntList());
    int[] row = new int[list.size()];
    for (int i = 0; i < row.length; i++) {
      Literal literal = task.propositions.get(list.get(i));
      if (literal.atom().terms().stream().filter(members::contains).count() != 1) {
        return null;
      }
      Integer image = numbers.get(swapped(literal, first, member));
      if (image == null) {
        return null;
      }
      row[i] = image;
    }
    return row;
  }

  /** A state equally far from the goal, the same for many such states. */
  long[] normalForm(long[] state) {
    long[] result = state.clone();
    for (int round = 0; round < 2; round++) {
      for (int[][] rows : classes) {
        sortRows(result, rows);
      }
    }
    return result;
  }

  private static void sortRows(long[] state, int[][] rows) {
    boolean[][] values = new boolean[rows.length][];
    for (int r = 0; r < rows.length; r++) {
      values[r] = new boolean[rows[r].length];
      for (int i = 0; i < values[r].length; i++) {
        values[r][i] = Bits.get(state, rows[r][i]);
      }
    }
    Arrays.sort(values, Arrays::compare);
    for (int r = 0; r < rows.length; r++) {
      for (int i = 0; i < values[r].length; i++) {
        if (values[r][i]) {
          Bits.set(state, rows[r][i]);
        } else {
          Bits.clear(state, rows[r][i]);
        }
      }
    }
  }
}
