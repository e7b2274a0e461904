package dev.imker.planner.internal.ground;

import dev.imker.planner.internal.basics.IntKey;
import dev.imker.planner.internal.basics.IntList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ground atoms by number, found again by predicate or by one of their terms. */
final class FactIndex {
  private static final IntList NONE = new IntList();

  private final List<int[]> facts = new ArrayList<>();
  private final IntList predicates = new IntList();
  private final Map<IntKey, Integer> numbers = new HashMap<>();
  private final List<IntList> byPredicate = new ArrayList<>();
  private final List<List<Map<Integer, IntList>>> byTerm = new ArrayList<>();

  FactIndex(int predicateCount) {
    for (int i = 0; i < predicateCount; i++) {
      byPredicate.add(new IntList());
      byTerm.add(new ArrayList<>());
    }
  }

  int size() {
    return facts.size();
  }

  int[] terms(int fact) {
    return facts.get(fact);
  }

  int predicate(int fact) {
    return predicates.get(fact);
  }

  /** The number of an atom, −1 if it is not known. */
  int find(int predicate, int[] terms) {
    return numbers.getOrDefault(key(predicate, terms), -1);
  }

  /** Numbers an atom; it can be found by {@link #find} from now on. */
  int number(int predicate, int[] terms) {
    @Nullable Integer known = numbers.putIfAbsent(key(predicate, terms), facts.size());
    if (known != null) {
      return known;
    }
    facts.add(terms);
    predicates.add(predicate);
    return facts.size() - 1;
  }

  /** Makes a numbered atom a candidate of joins. */
  void enable(int fact) {
    int predicate = predicates.get(fact);
    int[] terms = facts.get(fact);
    byPredicate.get(predicate).add(fact);
    List<Map<Integer, IntList>> maps = byTerm.get(predicate);
    for (int i = 0; i < terms.length; i++) {
      if (maps.size() <= i) {
        maps.add(new HashMap<>());
      }
      maps.get(i).computeIfAbsent(terms[i], _ -> new IntList()).add(fact);
    }
  }

  /** The shortest list that holds every enabled atom matching the pattern. */
  IntList candidates(NumberedSchema.Pattern pattern, int[] binding) {
    IntList best = byPredicate.get(pattern.predicate());
    List<Map<Integer, IntList>> maps = byTerm.get(pattern.predicate());
    for (int i = 0; i < maps.size(); i++) {
      int object = NumberedSchema.resolve(pattern.terms()[i], binding);
      if (object != NumberedSchema.UNBOUND) {
        IntList list = maps.get(i).getOrDefault(object, NONE);
        if (list.size() < best.size()) {
          best = list;
        }
      }
    }
    return best;
  }

  private static IntKey key(int predicate, int[] terms) {
    int[] key = new int[terms.length + 1];
    key[0] = predicate;
    System.arraycopy(terms, 0, key, 1, terms.length);
    return new IntKey(key);
  }
}
