package dev.imker.planner.pddl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds a problem from the sections of its text and checks it against its domain. */
final class ProblemReader {
  private static final Set<String> IGNORED = Set.of(":length");

  private final Sections sections;
  private final Domain domain;
  private final List<TypedName> objects = new ArrayList<>();
  private final Map<String, Set<String>> types = new HashMap<>();
  private final Map<String, List<TypedName>> parameters = new HashMap<>();
  private final Map<Atom, Double> values = new HashMap<>();
  private Problem.Metric metric = Problem.Metric.NONE;

  ProblemReader(String text, Domain domain) {
    this.sections = Sections.read(text, "problem");
    this.domain = domain;
  }

  Problem read() {
    List<Sections.Section> inits = new ArrayList<>();
    List<Sections.Section> goals = new ArrayList<>();
    for (Sections.Section section : sections.sections()) {
      switch (section.keyword().text()) {
        case ":domain" -> checkDomain(section);
        case ":requirements" -> DomainReader.checkRequirements(section);
        case ":objects" ->
            objects.addAll(TypedListReader.objects(domain.types(), section.body(), objects));
        case ":init" -> inits.add(section);
        case ":metric" -> metric = metric(section);
        case ":goal" -> {
          if (!goals.isEmpty()) {
            throw PddlException.at(
                section.keyword(), "there is already a goal; combine them with '(and …)'");
          }
          goals.add(section);
        }
        default -> {
          if (!IGNORED.contains(section.keyword().text())) {
            throw PddlException.expected(
                "one of :domain, :objects, :init, :goal", section.keyword());
          }
        }
      }
    }
    FormulaReader formulas = formulas();
    domain.predicates().forEach(one -> parameters.put(one.name(), one.parameters()));
    domain.constants().forEach(this::noteTypes);
    objects.forEach(this::noteTypes);
    Set<Atom> init = new LinkedHashSet<>();
    inits.forEach(section -> readInit(section, formulas, init));
    if (goals.isEmpty()) {
      throw new PddlException(1, 1, "expected a section '(:goal …)' in the problem");
    }
    Set<Literal> goal = new LinkedHashSet<>();
    goals.forEach(section -> goal.addAll(formulas.conditions(section.only("a condition"))));
    return new Problem(
        sections.name(), objects, List.copyOf(init), List.copyOf(goal), metric, values);
  }

  private static Problem.Metric metric(Sections.Section section) {
    List<Node> body = section.body();
    if (body.size() == 2 && Sections.isSymbol(body.getFirst(), "minimize")) {
      if (FormulaReader.isFunction(body.getLast(), FormulaReader.TOTAL_COST)) {
        return Problem.Metric.TOTAL_COST;
      }
      if (FormulaReader.isFunction(body.getLast(), "total-time")
          || Sections.isSymbol(body.getLast(), "total-time")) {
        return Problem.Metric.TOTAL_TIME;
      }
    }
    throw PddlException.at(
        section.keyword(), "expected 'minimize (total-cost)' or 'minimize (total-time)'");
  }

  private void checkDomain(Sections.Section section) {
    if (!(section.only("the domain's name") instanceof Node.Symbol name)
        || !name.text().equals(domain.name())) {
      throw PddlException.expected(
          "the name of the given domain, '" + domain.name() + "',", section.body().getFirst());
    }
  }

  private FormulaReader formulas() {
    Set<String> terms = new HashSet<>();
    domain.constants().forEach(constant -> terms.add(constant.name()));
    objects.forEach(object -> terms.add(object.name()));
    Map<String, Integer> arities = new HashMap<>();
    domain.predicates().forEach(p -> arities.put(p.name(), p.parameters().size()));
    return new FormulaReader(arities, terms, "an object");
  }

  private void readInit(Sections.Section section, FormulaReader formulas, Set<Atom> init) {
    for (Node node : section.body()) {
      if (!(node instanceof Node.Group group) || group.items().isEmpty()) {
        throw PddlException.expected("a fact in parentheses", node);
      }
      if (isNumber(group)) {
        if (!FormulaReader.isFunction(group.items().get(1), FormulaReader.TOTAL_COST)) {
          values.put(
              formulas.function((Node.Group) group.items().get(1)),
              FormulaReader.number(group.items().get(2)));
        }
        continue;
      }
      for (Literal literal : formulas.conditions(group)) {
        if (!literal.atom().isEquality()) {
          checkTypes(literal.atom(), group);
          if (literal.positive()) {
            init.add(literal.atom());
          }
        }
      }
    }
  }

  private void noteTypes(TypedName object) {
    types.computeIfAbsent(object.name(), _ -> new HashSet<>()).addAll(object.types());
  }

  private void checkTypes(Atom atom, Node.Group group) {
    List<TypedName> declared = parameters.getOrDefault(atom.predicate(), List.of());
    for (int i = 0; i < declared.size(); i++) {
      String term = atom.terms().get(i);
      List<String> wanted = declared.get(i).types();
      if (!domain.types().fits(types.getOrDefault(term, Set.of()), wanted)) {
        throw PddlException.at(
            group,
            "'%s' in %s is not of type %s".formatted(term, atom, String.join(" or ", wanted)));
      }
    }
  }

  /** {@code (= (distance a b) 5)}. */
  private static boolean isNumber(Node.Group group) {
    return Sections.isSymbol(group.items().getFirst(), Atom.EQUALS)
        && group.items().size() == 3
        && group.items().get(1) instanceof Node.Group;
  }
}
