package dev.imker.planner;

import dev.imker.planner.pddl.ActionSchema;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Literal;
import dev.imker.planner.pddl.Problem;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds which action of a plan really needs which other. A condition is produced by the action that
 * began the stretch of time in which it holds; actions that end an earlier stretch must be done
 * before that, actions that end this stretch after all that use it.
 */
final class CausalLinks {
  private static final int START = -1;

  private final Problem problem;
  private final List<PlannedAction> actions = new ArrayList<>();
  private final List<Integer> stepOf = new ArrayList<>();
  private final List<Set<Literal>> conditions = new ArrayList<>();

  /** Positions of the actions that make a literal true, in order. */
  private final Map<Literal, List<Integer>> makers = new HashMap<>();

  private final Map<List<Integer>, PlanDag.Edge> produces = new LinkedHashMap<>();
  private final Map<List<Integer>, PlanDag.Edge> precedes = new LinkedHashMap<>();

  CausalLinks(Domain domain, Problem problem, List<List<PlannedAction>> steps) {
    this.problem = problem;
    Map<String, ActionSchema> schemas = new HashMap<>();
    domain.actions().forEach(schema -> schemas.put(schema.name(), schema));
    for (int step = 0; step < steps.size(); step++) {
      for (PlannedAction action : steps.get(step)) {
        ActionSchema schema = schemas.get(action.name());
        if (schema != null) {
          add(action, schema, step);
        }
      }
    }
  }

  private void add(PlannedAction action, ActionSchema schema, int step) {
    Map<String, String> binding = new HashMap<>();
    for (int i = 0; i < schema.parameters().size(); i++) {
      binding.put(schema.parameters().get(i).name(), action.arguments().get(i));
    }
    Set<Literal> made = bound(schema.effect(), binding);
    made.removeIf(literal -> !literal.positive() && made.contains(Literal.yes(literal.atom())));
    made.forEach(
        literal -> makers.computeIfAbsent(literal, _ -> new ArrayList<>()).add(actions.size()));
    actions.add(action);
    stepOf.add(step);
    conditions.add(bound(schema.precondition(), binding));
  }

  private static Set<Literal> bound(List<Literal> literals, Map<String, String> binding) {
    Set<Literal> result = new HashSet<>();
    for (Literal literal : literals) {
      if (!literal.atom().isEquality()) {
        List<String> terms =
            literal.atom().terms().stream().map(t -> binding.getOrDefault(t, t)).toList();
        result.add(new Literal(new Atom(literal.atom().predicate(), terms), literal.positive()));
      }
    }
    return result;
  }

  PlanDag toDag() {
    for (int action = 0; action < actions.size(); action++) {
      for (Literal condition : conditions.get(action)) {
        link(condition, action, stepOf.get(action));
      }
    }
    for (Literal wanted : problem.goal()) {
      link(wanted, actions.size(), Integer.MAX_VALUE);
    }
    List<PlanDag.Edge> edges = new ArrayList<>(produces.values());
    edges.addAll(necessaryOrder());
    return new PlanDag(actions, edges);
  }

  /** Orders everything that concerns a literal around the one who requires it. */
  private void link(Literal literal, int consumer, int step) {
    List<Integer> enders = makers.getOrDefault(negated(literal), List.of());
    int lastEnd = enders.stream().mapToInt(stepOf::get).filter(s -> s < step).max().orElse(START);
    int producer =
        makers.getOrDefault(literal, List.of()).stream()
            .filter(maker -> stepOf.get(maker) > lastEnd && stepOf.get(maker) < step)
            .findFirst()
            .orElse(START);
    boolean heldAtStart =
        lastEnd == START && problem.init().contains(literal.atom()) == literal.positive();
    boolean isProduced = producer != START && !heldAtStart;
    if (isProduced && consumer < actions.size()) {
      edge(produces, producer, consumer, PlanDag.Reason.PRODUCES, literal);
    }
    for (int ender : enders) {
      if (stepOf.get(ender) >= step) {
        if (ender != consumer) {
          edge(precedes, consumer, ender, PlanDag.Reason.PRECEDES, literal);
        }
      } else if (isProduced) {
        edge(precedes, ender, producer, PlanDag.Reason.PRECEDES, literal);
      }
    }
  }

  private static Literal negated(Literal literal) {
    return new Literal(literal.atom(), !literal.positive());
  }

  private static void edge(
      Map<List<Integer>, PlanDag.Edge> edges,
      int from,
      int to,
      PlanDag.Reason reason,
      Literal literal) {
    edges.putIfAbsent(List.of(from, to), new PlanDag.Edge(from, to, reason, literal.toString()));
  }

  /** The ordering edges that no other path implies. */
  private List<PlanDag.Edge> necessaryOrder() {
    int count = actions.size();
    List<BitSet> direct = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      direct.add(new BitSet(count));
    }
    Set<List<Integer>> all = new HashSet<>(produces.keySet());
    all.addAll(precedes.keySet());
    all.forEach(edge -> direct.get(edge.get(0)).set(edge.get(1)));
    List<BitSet> reachable = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      reachable.add(new BitSet(count));
    }
    for (int from = count - 1; from >= 0; from--) {
      BitSet through = direct.get(from);
      BitSet set = reachable.get(from);
      for (int to = through.nextSetBit(0); to >= 0; to = through.nextSetBit(to + 1)) {
        set.or(reachable.get(to));
      }
      set.or(through);
    }
    List<PlanDag.Edge> kept = new ArrayList<>();
    for (PlanDag.Edge edge : precedes.values()) {
      if (!produces.containsKey(List.of(edge.from(), edge.to()))
          && direct.get(edge.from()).stream()
              .noneMatch(via -> via != edge.to() && reachable.get(via).get(edge.to()))) {
        kept.add(edge);
      }
    }
    return kept;
  }
}
