package dev.imker.planner.internal.ground;

import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.planner.pddl.ActionSchema;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Literal;
import dev.imker.planner.pddl.Problem;
import dev.imker.planner.pddl.TypedName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why a goal cannot be reached even if nothing were ever deleted. From each part of it that is out
 * of reach, backwards over the actions that would bring it about, to what no action makes.
 *
 * @param wants parts of the goal that are out of reach
 * @param missing what would have to hold at the start and that no action makes, the nearest first;
 *     empty if actions only wait for each other. A term that begins with '?' stands for any object.
 */
public record Unreached(List<Literal> wants, List<Atom> missing) {
  private static final int MAX_SEEN = 2_000;
  private static final int MAX_MISSING = 20;

  /**
   * @throws Stopwatch.Stopped when the time is over
   */
  public static Unreached of(
      Domain domain, Problem problem, Set<Atom> without, Stopwatch stopwatch) {
    Set<Atom> reached = Grounder.reached(domain, problem, without, stopwatch);
    List<Literal> wants =
        problem.goal().stream()
            .filter(want -> want.positive() && !want.atom().isEquality())
            .filter(want -> !reached.contains(want.atom()))
            .toList();
    return new Unreached(wants, missing(domain, problem, wants, reached, stopwatch));
  }

  private static List<Atom> missing(
      Domain domain, Problem problem, List<Literal> wants, Set<Atom> reached, Stopwatch stopwatch) {
    Map<String, List<String>> types = new HashMap<>();
    Stream.concat(domain.constants().stream(), problem.objects().stream())
        .forEach(object -> types.put(object.name(), object.types()));
    List<Atom> missing = new ArrayList<>();
    Set<Atom> seen = new LinkedHashSet<>();
    wants.forEach(want -> seen.add(want.atom()));
    Deque<Atom> open = new ArrayDeque<>(seen);
    for (Atom next = open.poll();
        next != null && missing.size() < MAX_MISSING && seen.size() < MAX_SEEN;
        next = open.poll()) {
      stopwatch.check();
      boolean made = false;
      for (ActionSchema action : domain.actions()) {
        for (Literal effect : action.effect()) {
          Map<String, String> binding =
              effect.positive() ? unified(effect.atom(), apart(next, action)) : null;
          if (binding != null && fits(domain, action, binding, types)) {
            made = true;
            lacking(action, binding, reached).filter(seen::add).forEach(open::add);
          }
        }
      }
      if (!made) {
        missing.add(next);
      }
    }
    return missing;
  }

  /** The atom with other variables than the action has, which mean something else. */
  private static Atom apart(Atom atom, ActionSchema action) {
    Set<String> taken =
        action.parameters().stream().map(TypedName::name).collect(Collectors.toSet());
    return new Atom(
        atom.predicate(),
        atom.terms().stream()
            .map(
                term -> {
                  String other = term;
                  while (taken.contains(other)
                      || (!other.equals(term) && atom.terms().contains(other))) {
                    other = "?_" + other.substring(1);
                  }
                  return other;
                })
            .toList());
  }

  /** Whether the action takes objects of these types. */
  private static boolean fits(
      Domain domain,
      ActionSchema action,
      Map<String, String> binding,
      Map<String, List<String>> types) {
    return action.parameters().stream()
        .allMatch(
            parameter -> {
              List<String> actual = types.get(binding.getOrDefault(parameter.name(), ""));
              return actual == null || domain.types().fits(actual, parameter.types());
            });
  }

  /** The conditions of an action that nothing within reach fulfils. */
  private static Stream<Atom> lacking(
      ActionSchema action, Map<String, String> binding, Set<Atom> reached) {
    return action.precondition().stream()
        .filter(condition -> condition.positive() && !condition.atom().isEquality())
        .map(condition -> bound(condition.atom(), binding))
        .filter(condition -> reached.stream().noneMatch(fact -> unified(condition, fact) != null));
  }

  private static Atom bound(Atom atom, Map<String, String> binding) {
    return new Atom(
        atom.predicate(),
        atom.terms().stream().map(term -> binding.getOrDefault(term, term)).toList());
  }

  /** What the variables of a pattern have to be so that it becomes the atom; null if it cannot. */
  private static @Nullable Map<String, String> unified(Atom pattern, Atom atom) {
    if (!pattern.predicate().equals(atom.predicate())) {
      return null;
    }
    Map<String, String> binding = new HashMap<>();
    for (int i = 0; i < pattern.terms().size(); i++) {
      String term = pattern.terms().get(i);
      String other = atom.terms().get(i);
      String known = Atom.isVariable(term) ? binding.getOrDefault(term, "?") : term;
      if (Atom.isVariable(known)) {
        binding.put(term, other);
      } else if (!known.equals(other) && !Atom.isVariable(other)) {
        return null;
      }
    }
    return binding;
  }
}
