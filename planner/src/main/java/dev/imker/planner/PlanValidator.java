package dev.imker.planner;

import dev.imker.planner.pddl.ActionSchema;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Literal;
import dev.imker.planner.pddl.Problem;
import dev.imker.planner.pddl.TypedName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks a plan by carrying it out on the problem as written. Shares no code with the planner
 * beyond the model, so that it does not repeat its mistakes.
 */
public final class PlanValidator {
  /** An action of the plan with its conditions and effects spelt out. */
  private record Instance(
      PlannedAction action, Set<Literal> conditions, Set<Atom> adds, Set<Atom> deletes) {}

  private final Domain domain;
  private final Problem problem;
  private final Map<String, List<String>> objectTypes = new HashMap<>();

  public PlanValidator(Domain domain, Problem problem) {
    this.domain = domain;
    this.problem = problem;
    List<TypedName> objects = new ArrayList<>(domain.constants());
    objects.addAll(problem.objects());
    for (TypedName object : objects) {
      objectTypes.computeIfAbsent(object.name(), _ -> new ArrayList<>()).addAll(object.types());
    }
  }

  /** What is wrong with the plan; empty if it is valid. */
  public Optional<String> findFault(List<List<PlannedAction>> steps) {
    Set<Atom> state = new HashSet<>(problem.init());
    for (int number = 1; number <= steps.size(); number++) {
      try {
        state = take(steps.get(number - 1), state);
      } catch (IllegalArgumentException fault) {
        return Optional.of("step " + number + ": " + fault.getMessage());
      }
    }
    for (Literal wanted : problem.goal()) {
      if (!holds(wanted, state)) {
        return Optional.of("the goal " + wanted + " does not hold at the end");
      }
    }
    return Optional.empty();
  }

  /**
   * What holds after actions that were carried out one after the other.
   *
   * @throws IllegalArgumentException if one of them was not possible
   */
  public Set<Atom> after(List<PlannedAction> actions) {
    Set<Atom> state = new HashSet<>(problem.init());
    for (PlannedAction action : actions) {
      state = take(List.of(action), state);
    }
    return state;
  }

  private Set<Atom> take(List<PlannedAction> step, Set<Atom> state) {
    List<Instance> instances = step.stream().map(this::instantiate).toList();
    for (Instance instance : instances) {
      for (Literal condition : instance.conditions) {
        if (!holds(condition, state)) {
          throw new IllegalArgumentException(
              instance.action + " requires " + condition + ", which does not hold");
        }
      }
      for (Instance other : instances) {
        if (!sameAction(instance, other)) {
          checkIndependent(instance, other);
        }
      }
    }
    Set<Atom> next = new HashSet<>(state);
    instances.forEach(instance -> next.removeAll(instance.deletes));
    instances.forEach(instance -> next.addAll(instance.adds));
    return next;
  }

  private static boolean sameAction(Instance one, Instance other) {
    return one.action.equals(other.action);
  }

  private static void checkIndependent(Instance one, Instance other) {
    for (Atom deleted : one.deletes) {
      if (other.adds.contains(deleted) || other.conditions.contains(Literal.yes(deleted))) {
        throw new IllegalArgumentException(
            one.action + " deletes " + deleted + ", which " + other.action + " needs or adds");
      }
    }
    for (Atom added : one.adds) {
      if (other.conditions.contains(Literal.no(added))) {
        throw new IllegalArgumentException(
            one.action + " adds " + added + ", which " + other.action + " requires to be false");
      }
    }
  }

  private Instance instantiate(PlannedAction action) {
    ActionSchema schema =
        domain.actions().stream()
            .filter(candidate -> candidate.name().equals(action.name()))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no action is named " + action.name()));
    if (schema.parameters().size() != action.arguments().size()) {
      throw new IllegalArgumentException(action + " has the wrong number of arguments");
    }
    Map<String, String> binding = new HashMap<>();
    for (int i = 0; i < action.arguments().size(); i++) {
      TypedName parameter = schema.parameters().get(i);
      String object = action.arguments().get(i);
      if (!domain.types().fits(objectTypes.getOrDefault(object, List.of()), parameter.types())) {
        throw new IllegalArgumentException(
            action + ": " + object + " is not of type " + parameter.types());
      }
      binding.put(parameter.name(), object);
    }
    Set<Literal> conditions = bind(schema.precondition(), binding);
    Set<Atom> adds = new LinkedHashSet<>();
    Set<Atom> deletes = new LinkedHashSet<>();
    for (Literal effect : bind(schema.effect(), binding)) {
      (effect.positive() ? adds : deletes).add(effect.atom());
    }
    deletes.removeAll(adds);
    return new Instance(action, conditions, adds, deletes);
  }

  private static Set<Literal> bind(List<Literal> literals, Map<String, String> binding) {
    Set<Literal> bound = new LinkedHashSet<>();
    for (Literal literal : literals) {
      List<String> terms =
          literal.atom().terms().stream().map(term -> binding.getOrDefault(term, term)).toList();
      bound.add(new Literal(new Atom(literal.atom().predicate(), terms), literal.positive()));
    }
    return bound;
  }

  private static boolean holds(Literal literal, Set<Atom> state) {
    Atom atom = literal.atom();
    boolean value =
        atom.isEquality() ? atom.terms().get(0).equals(atom.terms().get(1)) : state.contains(atom);
    return value == literal.positive();
  }
}
