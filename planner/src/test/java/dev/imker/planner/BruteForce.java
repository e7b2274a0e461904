package dev.imker.planner;

import dev.imker.planner.pddl.ActionSchema;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Literal;
import dev.imker.planner.pddl.Problem;
import dev.imker.planner.pddl.TypedName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** The fewest steps by trying every set of actions in every state; for tiny problems only. */
public final class BruteForce {
  private record Move(List<Literal> needs, Set<Atom> adds, Set<Atom> deletes) {
    boolean isPossible(Set<Atom> state) {
      return needs.stream().allMatch(need -> holds(need, state));
    }

    boolean disturbs(Move other) {
      return deletes.stream()
              .anyMatch(d -> other.adds.contains(d) || other.needs.contains(Literal.yes(d)))
          || adds.stream().anyMatch(a -> other.needs.contains(Literal.no(a)));
    }
  }

  /** There is more to try than anybody wants to wait for. */
  public static final class TooMuchException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Problem problem;
  private final List<Move> moves = new ArrayList<>();
  private int tries;
  private int mostTries;

  public BruteForce(Domain domain, Problem problem) {
    this.problem = problem;
    List<TypedName> objects = new ArrayList<>(domain.constants());
    objects.addAll(problem.objects());
    for (ActionSchema schema : domain.actions()) {
      instantiate(domain, schema, objects, new ArrayList<>());
    }
  }

  private void instantiate(
      Domain domain, ActionSchema schema, List<TypedName> objects, List<String> arguments) {
    if (arguments.size() == schema.parameters().size()) {
      moves.add(move(schema, arguments));
      return;
    }
    for (TypedName object : objects.stream().distinct().toList()) {
      if (domain.types().fits(object.types(), schema.parameters().get(arguments.size()).types())) {
        arguments.add(object.name());
        instantiate(domain, schema, objects, arguments);
        arguments.removeLast();
      }
    }
  }

  private static Move move(ActionSchema schema, List<String> arguments) {
    Set<Atom> adds = new HashSet<>();
    Set<Atom> deletes = new HashSet<>();
    for (Literal effect : schema.effect()) {
      (effect.positive() ? adds : deletes).add(bind(effect, schema, arguments).atom());
    }
    deletes.removeAll(adds);
    List<Literal> needs =
        schema.precondition().stream().map(need -> bind(need, schema, arguments)).toList();
    return new Move(needs, adds, deletes);
  }

  private static Literal bind(Literal literal, ActionSchema schema, List<String> arguments) {
    List<String> terms = new ArrayList<>();
    for (String term : literal.atom().terms()) {
      String bound = term;
      for (int i = 0; i < arguments.size(); i++) {
        if (schema.parameters().get(i).name().equals(term)) {
          bound = arguments.get(i);
        }
      }
      terms.add(bound);
    }
    return new Literal(new Atom(literal.atom().predicate(), terms), literal.positive());
  }

  private static boolean holds(Literal literal, Set<Atom> state) {
    Atom atom = literal.atom();
    return literal.positive()
        == (atom.isEquality()
            ? atom.terms().get(0).equals(atom.terms().get(1))
            : state.contains(atom));
  }

  /** The number of steps of a shortest plan; empty if there is none. */
  public OptionalInt fewestSteps() {
    return fewestSteps(Integer.MAX_VALUE);
  }

  /**
   * @throws TooMuchException if more has to be tried
   */
  OptionalInt fewestSteps(int mostTries) {
    this.mostTries = mostTries;
    Set<Set<Atom>> seen = new HashSet<>();
    Set<Set<Atom>> layer = Set.of(Set.copyOf(problem.init()));
    for (int steps = 0; !layer.isEmpty(); steps++) {
      Set<Set<Atom>> next = new HashSet<>();
      for (Set<Atom> state : layer) {
        if (problem.goal().stream().allMatch(goal -> holds(goal, state))) {
          return OptionalInt.of(steps);
        }
        List<Move> possible = moves.stream().filter(move -> move.isPossible(state)).toList();
        collect(state, state, possible, 0, new ArrayList<>(), next);
      }
      seen.addAll(layer);
      next.removeAll(seen);
      layer = next;
    }
    return OptionalInt.empty();
  }

  private void collect(
      Set<Atom> state,
      Set<Atom> result,
      List<Move> possible,
      int from,
      List<Move> chosen,
      Set<Set<Atom>> next) {
    for (int i = from; i < possible.size(); i++) {
      Move move = possible.get(i);
      if (chosen.stream().noneMatch(other -> other.disturbs(move) || move.disturbs(other))) {
        if (++tries > mostTries) {
          throw new TooMuchException();
        }
        Set<Atom> changed = new HashSet<>(result);
        changed.removeAll(move.deletes);
        changed.addAll(move.adds);
        next.add(Set.copyOf(changed));
        chosen.add(move);
        collect(state, changed, possible, i + 1, chosen, next);
        chosen.removeLast();
      }
    }
  }
}
