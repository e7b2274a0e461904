package dev.imker.planner.pddl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builds a domain from the sections of its text, whatever their order. */
final class DomainReader {
  private static final int MAX_PARAMETERS = 255;
  private static final Set<String> IGNORED = Set.of(":requirements", ":functions");

  /**
   * What a text may say that it uses, by the definitions of PDDL 1.2 to 3.1. What it does use is
   * seen where it uses it.
   */
  private static final Set<String> REQUIREMENTS =
      Set.of(
          ":strips",
          ":typing",
          ":equality",
          ":negative-preconditions",
          ":disjunctive-preconditions",
          ":existential-preconditions",
          ":universal-preconditions",
          ":quantified-preconditions",
          ":conditional-effects",
          ":adl",
          ":ucpop",
          ":action-expansions",
          ":foreach-expansions",
          ":dag-expansions",
          ":domain-axioms",
          ":subgoal-through-axioms",
          ":safety-constraints",
          ":expression-evaluation",
          ":fluents",
          ":numeric-fluents",
          ":object-fluents",
          ":open-world",
          ":true-negation",
          ":durative-actions",
          ":duration-inequalities",
          ":continuous-effects",
          ":derived-predicates",
          ":timed-initial-literals",
          ":preferences",
          ":constraints",
          ":goal-utilities",
          ":action-costs");

  static void checkRequirements(Sections.Section section) {
    for (Node item : section.body()) {
      if (!(item instanceof Node.Symbol symbol) || !REQUIREMENTS.contains(symbol.text())) {
        throw PddlException.expected("a requirement of PDDL such as ':strips'", item);
      }
    }
  }

  private final Sections sections;
  private final List<TypedName> constants = new ArrayList<>();
  private final Map<String, Predicate> predicates = new LinkedHashMap<>();
  private final Map<String, ActionSchema> actions = new LinkedHashMap<>();
  private TypeHierarchy types = TypeHierarchy.of(List.of());

  DomainReader(String text) {
    this.sections = Sections.read(text, "domain");
  }

  Domain read() {
    List<TypedName> declaredTypes = new ArrayList<>();
    each(":types", section -> declaredTypes.addAll(TypedListReader.types(section.body())));
    types = TypeHierarchy.of(declaredTypes);
    each(":requirements", DomainReader::checkRequirements);
    each(":types", this::rejectCircle);
    each(
        ":constants",
        section -> constants.addAll(TypedListReader.objects(types, section.body(), constants)));
    each(":predicates", section -> section.body().forEach(this::readPredicate));
    each(":action", this::readAction);
    rejectUnknown();
    return new Domain(
        sections.name(),
        types,
        constants,
        List.copyOf(predicates.values()),
        List.copyOf(actions.values()));
  }

  private void each(String keyword, Consumer<Sections.Section> reader) {
    for (Sections.Section section : sections.sections()) {
      if (section.keyword().text().equals(keyword)) {
        reader.accept(section);
      }
    }
  }

  private void rejectCircle(Sections.Section section) {
    for (Node item : section.body()) {
      if (item instanceof Node.Symbol type && types.isInCircle(type.text())) {
        throw PddlException.at(type, "the type " + type.describe() + " descends from itself");
      }
    }
  }

  private void rejectUnknown() {
    Set<String> read = Set.of(":types", ":constants", ":predicates", ":action");
    Set<String> seen = new HashSet<>();
    for (Sections.Section section : sections.sections()) {
      String keyword = section.keyword().text();
      if (!keyword.equals(":action") && !seen.add(keyword)) {
        throw PddlException.at(section.keyword(), "there is already a section " + keyword);
      }
      if (!read.contains(keyword) && !IGNORED.contains(keyword)) {
        throw PddlException.expected(
            "one of :requirements, :types, :constants, :predicates, :action", section.keyword());
      }
    }
  }

  private void readPredicate(Node node) {
    if (!(node instanceof Node.Group group)) {
      throw PddlException.expected("a declaration such as '(at ?x ?y)'", node);
    }
    if (group.items().isEmpty()) {
      throw group.missing("a predicate name");
    }
    if (!(group.items().getFirst() instanceof Node.Symbol name)) {
      throw PddlException.expected("a predicate name", group.items().getFirst());
    }
    List<TypedName> parameters =
        TypedListReader.variables(types, group.items().subList(1, group.items().size()));
    Predicate predicate = new Predicate(name.text(), parameters);
    Predicate earlier = predicates.putIfAbsent(name.text(), predicate);
    if (earlier != null && earlier.parameters().size() != parameters.size()) {
      throw PddlException.at(
          name,
          "the predicate " + name.describe() + " is declared twice with different parameters");
    }
  }

  private void readAction(Sections.Section section) {
    if (section.body().isEmpty()) {
      throw section.group().missing("an action name");
    }
    if (!(section.body().getFirst() instanceof Node.Symbol name) || name.text().startsWith(":")) {
      throw PddlException.expected("an action name", section.body().getFirst());
    }
    Map<String, Node> parts = readParts(section);
    List<TypedName> parameters = readParameters(parts.get(":parameters"));
    Set<String> terms = new HashSet<>();
    constants.forEach(constant -> terms.add(constant.name()));
    parameters.forEach(parameter -> terms.add(parameter.name()));
    FormulaReader formulas = new FormulaReader(arities(), terms, "a parameter or constant");
    Node precondition = parts.get(":precondition");
    Node effect = parts.get(":effect");
    ActionSchema action =
        new ActionSchema(
            name.text(),
            parameters,
            precondition == null ? List.of() : formulas.conditions(precondition),
            effect == null ? List.of() : formulas.effects(effect),
            effect == null ? ActionCost.NONE : formulas.cost(effect));
    if (actions.putIfAbsent(name.text(), action) != null) {
      throw PddlException.at(name, "the action " + name.describe() + " is declared twice");
    }
  }

  private static Map<String, Node> readParts(Sections.Section section) {
    Set<String> allowed = new LinkedHashSet<>(List.of(":parameters", ":precondition", ":effect"));
    Map<String, Node> parts = new HashMap<>();
    List<Node> body = section.body();
    for (int i = 1; i < body.size(); i += 2) {
      if (!(body.get(i) instanceof Node.Symbol keyword) || !allowed.contains(keyword.text())) {
        throw PddlException.expected("one of :parameters, :precondition, :effect", body.get(i));
      }
      if (i + 1 == body.size()) {
        throw section.group().missing("a list after '" + keyword.text() + "'");
      }
      if (parts.put(keyword.text(), body.get(i + 1)) != null) {
        throw PddlException.at(keyword, keyword.describe() + " occurs twice");
      }
    }
    return parts;
  }

  private List<TypedName> readParameters(@Nullable Node node) {
    if (node == null) {
      return List.of();
    }
    if (!(node instanceof Node.Group group)) {
      throw PddlException.expected("a list of parameters in parentheses", node);
    }
    List<TypedName> parameters = TypedListReader.variables(types, group.items());
    if (parameters.size() > MAX_PARAMETERS) {
      throw PddlException.at(group, "an action may have at most " + MAX_PARAMETERS + " parameters");
    }
    Set<String> seen = new HashSet<>();
    for (TypedName parameter : parameters) {
      if (!seen.add(parameter.name())) {
        throw PddlException.at(group, "the parameter '" + parameter.name() + "' occurs twice");
      }
    }
    return parameters;
  }

  private Map<String, Integer> arities() {
    Map<String, Integer> arities = new HashMap<>();
    predicates.values().forEach(p -> arities.put(p.name(), p.parameters().size()));
    return arities;
  }
}
