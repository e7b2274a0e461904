package dev.imker.planner.actions;

import dev.imker.planner.pddl.ActionSchema;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Literal;
import dev.imker.planner.pddl.Predicate;
import dev.imker.planner.pddl.Problem;
import dev.imker.planner.pddl.TypeHierarchy;
import dev.imker.planner.pddl.TypedName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The actions a plan may consist of. */
public final class ActionLibrary {
  private final List<ActionDescription> actions;
  private final List<ActionSchema> schemas;
  private final Map<String, Integer> arities = new LinkedHashMap<>();

  /**
   * @throws IllegalArgumentException if names clash or a relation is used with different numbers of
   *     terms
   */
  public ActionLibrary(Collection<ActionDescription> actions) {
    this.actions = List.copyOf(actions);
    Set<String> names = new HashSet<>();
    for (ActionDescription action : actions) {
      if (!names.add(action.name())) {
        throw new IllegalArgumentException("action " + action.name() + " is described twice");
      }
      action.preconditions().forEach(relation -> declare(arities, relation));
      action.effects().forEach(relation -> declare(arities, relation));
      action.negativeEffects().forEach(relation -> declare(arities, relation));
    }
    schemas = actions.stream().map(ActionLibrary::schema).toList();
  }

  public List<ActionDescription> actions() {
    return actions;
  }

  private static void declare(Map<String, Integer> arities, Relation relation) {
    Integer known = arities.putIfAbsent(relation.name(), relation.terms().size());
    if (known != null && known != relation.terms().size()) {
      throw new IllegalArgumentException(
          "%s has %d terms here and %d elsewhere"
              .formatted(relation, relation.terms().size(), known));
    }
  }

  private static ActionSchema schema(ActionDescription action) {
    List<TypedName> parameters =
        action.parameters().stream()
            .map(parameter -> TypedName.of("?" + parameter.name(), parameter.type()))
            .toList();
    List<Literal> preconditions =
        action.preconditions().stream().map(ActionLibrary::condition).toList();
    List<Literal> effects = new ArrayList<>();
    action.effects().forEach(effect -> effects.add(Literal.yes(atom(effect, "?"))));
    action.negativeEffects().forEach(effect -> effects.add(Literal.no(atom(effect, "?"))));
    return new ActionSchema(action.name(), parameters, preconditions, effects);
  }

  private static Literal condition(Relation relation) {
    if (relation.name().equals(ActionDescription.DIFFERS)) {
      List<String> terms = relation.terms().stream().map(term -> "?" + term).toList();
      return new Literal(new Atom(Atom.EQUALS, terms), !relation.positive());
    }
    return new Literal(atom(relation, "?"), relation.positive());
  }

  private static Atom atom(Relation relation, String prefix) {
    return new Atom(relation.name(), relation.terms().stream().map(term -> prefix + term).toList());
  }

  /** The request as a planning problem over this library. */
  public PlanningTask pose(PlanRequest request) {
    Map<String, Integer> all = new LinkedHashMap<>(arities);
    request.known().forEach(relation -> declare(all, relation));
    request.wanted().forEach(relation -> declare(all, relation));
    Set<String> names = new HashSet<>();
    List<TypedName> objects = new ArrayList<>();
    List<TypedName> types = new ArrayList<>();
    List<Atom> init = new ArrayList<>();
    for (Value value : request.values()) {
      if (!names.add(value.name())) {
        throw new IllegalArgumentException("two values are named " + value.name());
      }
      objects.add(TypedName.of(value.name(), value.type()));
      types.add(TypedName.of(value.type(), TypedName.ANY));
      if (all.getOrDefault(value.type(), -1) == 0) {
        init.add(Atom.of(value.type()));
      }
    }
    request.known().forEach(relation -> init.add(atom(checked(relation, names), "")));
    List<Literal> goal =
        request.wanted().stream()
            .map(relation -> new Literal(atom(checked(relation, names), ""), relation.positive()))
            .toList();
    List<Predicate> predicates =
        all.entrySet().stream()
            .map(entry -> new Predicate(entry.getKey(), parameters(entry.getValue())))
            .toList();
    return new PlanningTask(
        new Domain("actions", TypeHierarchy.of(types), List.of(), predicates, schemas),
        new Problem("request", objects, init, goal));
  }

  private static Relation checked(Relation relation, Set<String> names) {
    for (String term : relation.terms()) {
      if (!names.contains(term)) {
        throw new IllegalArgumentException(
            "'" + term + "' in " + relation + " is not the name of a value");
      }
    }
    return relation;
  }

  private static List<TypedName> parameters(int count) {
    return Collections.nCopies(count, TypedName.of("?x", TypedName.ANY));
  }

  /** A request ready for the planner. */
  public record PlanningTask(Domain domain, Problem problem) {}
}
