package dev.imker.planner.pddl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads conjunctions of literals; {@code and} may nest to any depth.
 *
 * @param arities the number of terms of each declared relation
 * @param terms the variables and objects that may occur
 */
record FormulaReader(Map<String, Integer> arities, Set<String> terms, String termKind) {
  static final String TOTAL_COST = "total-cost";
  private static final Set<String> UNSUPPORTED =
      Set.of(
          "or",
          "imply",
          "forall",
          "exists",
          "when",
          "preference",
          "assign",
          "decrease",
          "scale-up",
          "scale-down",
          "<",
          ">",
          "<=",
          ">=",
          "at-start",
          "oneof");

  List<Literal> conditions(Node formula) {
    return read(formula, true);
  }

  /** Effects: as conditions, but nothing can be made equal; costs are read apart. */
  List<Literal> effects(Node formula) {
    return read(formula, false);
  }

  /** What an effect adds to the total cost. */
  ActionCost cost(Node formula) {
    double constant = 0;
    List<Atom> values = new ArrayList<>();
    Deque<Node> open = new ArrayDeque<>(List.of(formula));
    for (Node next = open.poll(); next != null; next = open.poll()) {
      if (!(next instanceof Node.Group group) || group.items().isEmpty()) {
        continue;
      }
      switch (headOf(group)) {
        case "and" -> open.addAll(group.items().subList(1, group.items().size()));
        case "increase" -> {
          if (group.items().size() != 3) {
            throw PddlException.at(group, "expected '(increase (total-cost) AMOUNT)'");
          }
          if (!isFunction(group.items().get(1), TOTAL_COST)) {
            throw PddlException.expected("'(total-cost)'", group.items().get(1));
          }
          if (group.items().get(2) instanceof Node.Group value) {
            values.add(function(value));
          } else {
            constant += number(group.items().get(2));
          }
        }
        default -> {}
      }
    }
    return new ActionCost(constant, values);
  }

  /** Whether this is a function without terms. */
  static boolean isFunction(Node node, String name) {
    return node instanceof Node.Group group
        && group.items().size() == 1
        && Sections.isSymbol(group.items().getFirst(), name);
  }

  /** A function of objects, such as {@code (distance a b)}. */
  Atom function(Node.Group group) {
    String name = headOf(group);
    return new Atom(
        name, group.items().subList(1, group.items().size()).stream().map(this::term).toList());
  }

  /** A number that is not negative. */
  static double number(Node node) {
    if (node instanceof Node.Symbol symbol && symbol.text().matches("\\d{1,9}(\\.\\d{1,6})?")) {
      return Double.parseDouble(symbol.text());
    }
    throw PddlException.expected("a number such as 3 or 0.5", node);
  }

  private List<Literal> read(Node formula, boolean equalityAllowed) {
    Set<Literal> literals = new LinkedHashSet<>();
    Deque<Node> open = new ArrayDeque<>();
    open.push(formula);
    while (!open.isEmpty()) {
      Node next = open.pop();
      if (!(next instanceof Node.Group group)) {
        throw PddlException.expected("a condition in parentheses", next);
      }
      String head = headOf(group);
      if (head.equals("and")) {
        for (int i = group.items().size() - 1; i > 0; i--) {
          open.push(group.items().get(i));
        }
      } else if (!head.isEmpty() && !(head.equals("increase") && !equalityAllowed)) {
        literals.add(literal(group, equalityAllowed));
      }
    }
    return new ArrayList<>(literals);
  }

  /** The word a list begins with; empty for the empty list, which demands nothing. */
  private static String headOf(Node.Group group) {
    if (group.items().isEmpty()) {
      return "";
    }
    if (group.items().getFirst() instanceof Node.Symbol symbol) {
      return symbol.text();
    }
    throw PddlException.expected("a predicate, 'and' or 'not'", group.items().getFirst());
  }

  private Literal literal(Node.Group group, boolean equalityAllowed) {
    Node.Group inner = group;
    boolean positive = true;
    while (headOf(inner).equals("not")) {
      if (inner.items().size() < 2) {
        throw inner.missing("an atom after 'not'");
      }
      if (inner.items().size() > 2) {
        throw PddlException.expected("')' after the negated atom", inner.items().get(2));
      }
      if (!(inner.items().get(1) instanceof Node.Group negated) || negated.items().isEmpty()) {
        throw PddlException.expected("an atom in parentheses", inner.items().get(1));
      }
      positive = !positive;
      inner = negated;
    }
    if (headOf(inner).equals("and")) {
      throw PddlException.at(inner, "a negated conjunction is not supported, only negated atoms");
    }
    Atom atom = atom(inner);
    if (atom.isEquality() && !equalityAllowed) {
      throw PddlException.at(inner, "'=' cannot be an effect");
    }
    return new Literal(atom, positive);
  }

  Atom atom(Node.Group group) {
    String head = headOf(group);
    if (UNSUPPORTED.contains(head) && !arities.containsKey(head)) {
      throw PddlException.at(
          group, "'" + head + "' is not supported (only and, not, = and declared predicates)");
    }
    int arity = head.equals(Atom.EQUALS) ? 2 : arityOf(group.items().getFirst(), head);
    List<String> args = new ArrayList<>(arity);
    for (Node item : group.items().subList(1, group.items().size())) {
      if (args.size() == arity) {
        throw PddlException.expected("')' since '" + head + "' has " + terms(arity), item);
      }
      args.add(term(item));
    }
    if (args.size() < arity) {
      throw group.missing("%s for '%s', here are %d".formatted(terms(arity), head, args.size()));
    }
    return new Atom(head, args);
  }

  private int arityOf(Node node, String name) {
    Integer arity = arities.get(name);
    if (arity == null) {
      throw PddlException.at(
          node, "the predicate " + node.describe() + " is not declared in :predicates");
    }
    return arity;
  }

  private String term(Node item) {
    if (!(item instanceof Node.Symbol symbol)) {
      throw PddlException.expected(termKind, item);
    }
    if (!terms.contains(symbol.text())) {
      throw PddlException.at(
          item, "expected " + termKind + " but " + symbol.describe() + " is not declared");
    }
    return symbol.text();
  }

  private static String terms(int count) {
    return count == 1 ? "1 term" : count + " terms";
  }
}
