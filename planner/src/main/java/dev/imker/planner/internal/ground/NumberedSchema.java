package dev.imker.planner.internal.ground;

import dev.imker.planner.pddl.ActionSchema;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Literal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An action schema with predicates, objects and parameters as numbers. */
final class NumberedSchema {
  /** An atom whose terms are objects (≥ 0) or parameters (−1 − index). */
  @SuppressWarnings("ArrayRecordComponent")
  record Pattern(int predicate, int[] terms) {
    /** The terms under a binding of all parameters. */
    int[] bind(int[] binding) {
      int[] bound = new int[terms.length];
      for (int i = 0; i < bound.length; i++) {
        bound[i] = resolve(terms[i], binding);
      }
      return bound;
    }

    boolean isBound(int[] binding) {
      for (int term : terms) {
        if (resolve(term, binding) == UNBOUND) {
          return false;
        }
      }
      return true;
    }
  }

  /** A demand that two terms are the same, or that they are not. */
  record Equality(int left, int right, boolean same) {}

  static final int UNBOUND = -1;

  final String name;
  final int parameterCount;
  final long[][] candidates;
  final List<Pattern> required = new ArrayList<>();
  final List<Pattern> forbidden = new ArrayList<>();
  final List<Equality> equalities = new ArrayList<>();
  final List<Pattern> adds = new ArrayList<>();
  final List<Pattern> deletes = new ArrayList<>();

  NumberedSchema(ActionSchema action, Map<String, Integer> predicates, Objects objects) {
    name = action.name();
    parameterCount = action.parameters().size();
    candidates = new long[parameterCount][];
    List<String> parameters = new ArrayList<>();
    for (int i = 0; i < parameterCount; i++) {
      parameters.add(action.parameters().get(i).name());
      candidates[i] = objects.fitting(action.parameters().get(i).types());
    }
    for (Literal literal : action.precondition()) {
      Pattern pattern = pattern(literal.atom(), parameters, predicates, objects);
      if (literal.atom().isEquality()) {
        equalities.add(new Equality(pattern.terms[0], pattern.terms[1], literal.positive()));
      } else {
        (literal.positive() ? required : forbidden).add(pattern);
      }
    }
    for (Literal literal : action.effect()) {
      Pattern pattern = pattern(literal.atom(), parameters, predicates, objects);
      (literal.positive() ? adds : deletes).add(pattern);
    }
  }

  private static Pattern pattern(
      Atom atom, List<String> parameters, Map<String, Integer> predicates, Objects objects) {
    int[] terms = new int[atom.terms().size()];
    for (int i = 0; i < terms.length; i++) {
      int parameter = parameters.indexOf(atom.terms().get(i));
      terms[i] = parameter >= 0 ? -1 - parameter : objects.number(atom.terms().get(i));
    }
    return new Pattern(predicates.getOrDefault(atom.predicate(), -1), terms);
  }

  /** The object a term stands for, or {@link #UNBOUND}. */
  static int resolve(int term, int[] binding) {
    return term >= 0 ? term : binding[-1 - term];
  }

  /** False once two bound terms contradict an equality. */
  boolean equalitiesHold(int[] binding) {
    for (Equality equality : equalities) {
      int left = resolve(equality.left, binding);
      int right = resolve(equality.right, binding);
      if (left != UNBOUND && right != UNBOUND && (left == right) != equality.same) {
        return false;
      }
    }
    return true;
  }
}
