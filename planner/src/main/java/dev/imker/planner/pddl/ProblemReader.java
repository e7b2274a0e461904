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
  private static final Set<String> IGNORED = Set.of(":requirements", ":metric", ":length");

  private final Sections sections;
  private final Domain domain;
  private final List<TypedName> objects = new ArrayList<>();

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
        case ":objects" -> objects.addAll(TypedListReader.objects(domain.types(), section.body()));
        case ":init" -> inits.add(section);
        case ":goal" -> goals.add(section);
        default -> {
          if (!IGNORED.contains(section.keyword().text())) {
            throw PddlException.expected(
                "one of :domain, :objects, :init, :goal", section.keyword());
          }
        }
      }
    }
    FormulaReader formulas = formulas();
    Set<Atom> init = new LinkedHashSet<>();
    inits.forEach(section -> readInit(section, formulas, init));
    if (goals.isEmpty()) {
      throw new PddlException(1, 1, "expected a section '(:goal …)' in the problem");
    }
    Set<Literal> goal = new LinkedHashSet<>();
    goals.forEach(section -> goal.addAll(formulas.conditions(section.only("a condition"))));
    return new Problem(sections.name(), objects, List.copyOf(init), List.copyOf(goal));
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

  private static void readInit(Sections.Section section, FormulaReader formulas, Set<Atom> init) {
    for (Node node : section.body()) {
      if (!(node instanceof Node.Group group) || group.items().isEmpty()) {
        throw PddlException.expected("a fact in parentheses", node);
      }
      if (isNumber(group)) {
        continue;
      }
      for (Literal literal : formulas.conditions(group)) {
        if (literal.positive() && !literal.atom().isEquality()) {
          init.add(literal.atom());
        }
      }
    }
  }

  /** {@code (= (total-cost) 0)}: numbers are left out of account. */
  private static boolean isNumber(Node.Group group) {
    return Sections.isSymbol(group.items().getFirst(), Atom.EQUALS)
        && group.items().size() == 3
        && group.items().get(1) instanceof Node.Group;
  }
}
