package dev.imker.planner.internal.ground;

import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Literal;
import dev.imker.planner.pddl.Predicate;
import dev.imker.planner.pddl.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the variables of a problem by objects. What never changes is decided here and left out:
 * atoms that hold from the start and are never deleted, and negations of atoms that never hold.
 */
public final class Grounder {
  private final Problem problem;
  private final Set<Atom> without;
  private final Stopwatch stopwatch;
  private final Objects objects;
  private final List<String> predicateNames = new ArrayList<>();
  private final Map<String, Integer> predicates = new HashMap<>();
  private final List<NumberedSchema> schemas = new ArrayList<>();
  private final FactIndex facts;

  private Grounder(Domain domain, Problem problem, Set<Atom> without, Stopwatch stopwatch) {
    this.problem = problem;
    this.without = without;
    this.stopwatch = stopwatch;
    this.objects = new Objects(domain, problem);
    for (Predicate predicate : domain.predicates()) {
      predicates.put(predicate.name(), predicateNames.size());
      predicateNames.add(predicate.name());
    }
    domain
        .actions()
        .forEach(action -> schemas.add(new NumberedSchema(action, predicates, objects)));
    facts = new FactIndex(predicateNames.size());
  }

  /**
   * @param without actions that are left out, each with its objects
   * @param weights of the actions; null if they are all alike
   * @throws Stopwatch.Stopped when the time is over
   */
  public static GroundTask ground(
      Domain domain,
      Problem problem,
      Set<Atom> without,
      @Nullable Weights weights,
      Stopwatch stopwatch) {
    return new Grounder(domain, problem, without, stopwatch).ground(weights);
  }

  /** All that could ever hold if nothing were deleted. */
  static Set<Atom> reached(Domain domain, Problem problem, Set<Atom> without, Stopwatch stopwatch) {
    Grounder grounder = new Grounder(domain, problem, without, stopwatch);
    var _ = grounder.begin().run();
    Set<Atom> reached = new HashSet<>();
    for (int fact = 0; fact < grounder.facts.size(); fact++) {
      reached.add(grounder.atom(fact));
    }
    return reached;
  }

  private Exploration begin() {
    for (Atom atom : problem.init()) {
      facts.number(predicates.getOrDefault(atom.predicate(), -1), numbers(atom));
    }
    return new Exploration(
        schemas,
        facts,
        predicateNames.size(),
        (schema, binding) -> !without.isEmpty() && without.contains(atom(schema, binding)),
        stopwatch);
  }

  private Atom atom(NumberedSchema schema, int[] binding) {
    return new Atom(schema.name, Arrays.stream(binding).mapToObj(objects::name).toList());
  }

  private GroundTask ground(@Nullable Weights weights) {
    Exploration exploration = begin();
    List<Exploration.Instance> instances = exploration.run();
    boolean[] constant = constants(exploration, instances);
    List<GroundAction> actions = new ArrayList<>();
    for (Exploration.Instance instance : instances) {
      stopwatch.check();
      addAction(instance, constant, actions);
    }
    if (weights != null) { // of actions that do the same, the first is kept
      actions.sort(
          Comparator.comparingDouble(
              action -> weights.of().applyAsDouble(new Atom(action.name(), action.arguments()))));
    }
    TreeSet<Integer> goal = new TreeSet<>();
    boolean reachable = collectGoal(constant, goal);
    List<Literal> literals = new ArrayList<>();
    TreeSet<Integer> init = new TreeSet<>();
    for (int fact = 0; fact < facts.size(); fact++) {
      Literal literal = Literal.yes(atom(fact));
      literals.add(literal);
      literals.add(Literal.no(literal.atom()));
      init.add(exploration.isInitial(fact) ? yes(fact) : no(fact));
    }
    return Simplification.of(literals, actions, init, goal, reachable, stopwatch);
  }

  /** The two propositions of an atom; those that nothing requires are dropped later. */
  private static int yes(int fact) {
    return 2 * fact;
  }

  private static int no(int fact) {
    return 2 * fact + 1;
  }

  private int[] numbers(Atom atom) {
    return atom.terms().stream().mapToInt(objects::number).toArray();
  }

  private Atom atom(int fact) {
    List<String> terms = Arrays.stream(facts.terms(fact)).mapToObj(objects::name).toList();
    return new Atom(predicateNames.get(facts.predicate(fact)), terms);
  }

  /** Atoms that hold at the start and that no reachable action deletes for good. */
  private boolean[] constants(Exploration exploration, List<Exploration.Instance> instances) {
    boolean[] constant = new boolean[facts.size()];
    for (int fact = 0; fact < constant.length; fact++) {
      constant[fact] = exploration.isInitial(fact);
    }
    for (Exploration.Instance instance : instances) {
      NumberedSchema schema = schemas.get(instance.schema());
      SortedSet<Integer> adds = factsOf(schema.adds, instance.binding());
      for (int deleted : factsOf(schema.deletes, instance.binding())) {
        if (!adds.contains(deleted)) {
          constant[deleted] = false;
        }
      }
    }
    return constant;
  }

  private SortedSet<Integer> factsOf(List<NumberedSchema.Pattern> patterns, int[] binding) {
    TreeSet<Integer> found = new TreeSet<>();
    for (NumberedSchema.Pattern pattern : patterns) {
      int fact = facts.find(pattern.predicate(), pattern.bind(binding));
      if (fact >= 0) {
        found.add(fact);
      }
    }
    return found;
  }

  private void addAction(
      Exploration.Instance instance, boolean[] constant, List<GroundAction> actions) {
    NumberedSchema schema = schemas.get(instance.schema());
    TreeSet<Integer> preconditions = new TreeSet<>();
    for (int fact : factsOf(schema.required, instance.binding())) {
      if (!constant[fact]) {
        preconditions.add(yes(fact));
      }
    }
    for (int fact : factsOf(schema.forbidden, instance.binding())) {
      if (constant[fact] || preconditions.contains(yes(fact))) {
        return;
      }
      preconditions.add(no(fact));
    }
    SortedSet<Integer> added = factsOf(schema.adds, instance.binding());
    SortedSet<Integer> deleted = factsOf(schema.deletes, instance.binding());
    deleted.removeAll(added);
    TreeSet<Integer> adds = new TreeSet<>();
    TreeSet<Integer> deletes = new TreeSet<>();
    for (int fact : added) {
      adds.add(yes(fact));
      deletes.add(no(fact));
    }
    for (int fact : deleted) {
      adds.add(no(fact));
      deletes.add(yes(fact));
    }
    List<String> arguments = Arrays.stream(instance.binding()).mapToObj(objects::name).toList();
    actions.add(
        new GroundAction(
            schema.name, arguments, array(preconditions), array(adds), array(deletes)));
  }

  /** Gathers the goal's propositions; false if one of them can never hold. */
  private boolean collectGoal(boolean[] constant, SortedSet<Integer> goal) {
    boolean reachable = true;
    for (Literal literal : problem.goal()) {
      Atom atom = literal.atom();
      if (atom.isEquality()) {
        reachable &= atom.terms().get(0).equals(atom.terms().get(1)) == literal.positive();
        continue;
      }
      int fact = facts.find(predicates.getOrDefault(atom.predicate(), -1), numbers(atom));
      if (fact < 0) {
        reachable &= !literal.positive();
      } else if (constant[fact]) {
        reachable &= literal.positive();
      } else {
        goal.add(literal.positive() ? yes(fact) : no(fact));
      }
    }
    return reachable;
  }

  static int[] array(SortedSet<Integer> set) {
    return set.stream().mapToInt(Integer::intValue).toArray();
  }
}
