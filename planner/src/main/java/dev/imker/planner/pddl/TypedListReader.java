package dev.imker.planner.pddl;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads lists such as {@code a b - block c - (either block table) d}. */
final class TypedListReader {
  private static final Node.Symbol UNTYPED = new Node.Symbol(TypedName.ANY, 0, 0);

  private final String expectedName;
  private final Predicate<String> knownType;
  private final List<Node> items;
  private final List<TypedName> result = new ArrayList<>();
  private final List<String> waiting = new ArrayList<>();

  /** Names that must not occur again; null if all may. */
  private @Nullable Set<String> taken;

  private TypedListReader(String expectedName, Predicate<String> knownType, List<Node> items) {
    this.expectedName = expectedName;
    this.knownType = knownType;
    this.items = items;
  }

  static List<TypedName> variables(TypeHierarchy types, List<Node> items) {
    return new TypedListReader("a variable such as '?x'", types::declares, items).read();
  }

  /**
   * @param earlier ones, none of which may occur again
   */
  static List<TypedName> objects(
      TypeHierarchy types, List<Node> items, Collection<TypedName> earlier) {
    TypedListReader reader = new TypedListReader("an object name", types::declares, items);
    Set<String> names = new HashSet<>();
    earlier.forEach(object -> names.add(object.name()));
    reader.taken = names;
    return reader.read();
  }

  /** Type declarations may name types before, or without, declaring them. */
  static List<TypedName> types(List<Node> items) {
    return new TypedListReader("a type name", _ -> true, items).read();
  }

  private List<TypedName> read() {
    int index = 0;
    while (index < items.size()) {
      Node item = items.get(index);
      if (isDash(item)) {
        if (waiting.isEmpty()) {
          throw PddlException.expected(expectedName + " before the '-'", item);
        }
        if (index + 1 == items.size()) {
          throw PddlException.at(item, "expected a type after '-'");
        }
        flush(readTypes(items.get(index + 1)));
        index += 2;
      } else {
        waiting.add(readName(item));
        index++;
      }
    }
    flush(List.of(UNTYPED.text()));
    return result;
  }

  private String readName(Node item) {
    boolean variableWanted = expectedName.contains("?");
    if (item instanceof Node.Symbol symbol
        && Atom.isVariable(symbol.text()) == variableWanted
        && symbol.text().length() > (variableWanted ? 1 : 0)
        && !symbol.text().startsWith(":")) {
      if (taken != null && !taken.add(symbol.text())) {
        throw PddlException.at(symbol, "the object " + symbol.describe() + " is declared twice");
      }
      return symbol.text();
    }
    throw PddlException.expected(expectedName, item);
  }

  private List<String> readTypes(Node item) {
    if (item instanceof Node.Symbol symbol) {
      return List.of(readType(symbol));
    }
    List<Node> choices = ((Node.Group) item).items();
    if (choices.size() < 2
        || !(choices.getFirst() instanceof Node.Symbol head)
        || !head.text().equals("either")) {
      throw PddlException.expected("a type or '(either type …)'", item);
    }
    return choices.stream().skip(1).map(this::readType).toList();
  }

  private String readType(Node item) {
    if (!(item instanceof Node.Symbol symbol) || isDash(item) || Atom.isVariable(symbol.text())) {
      throw PddlException.expected("a type name", item);
    }
    if (!knownType.test(symbol.text())) {
      throw PddlException.at(item, "the type " + symbol.describe() + " is not declared in :types");
    }
    return symbol.text();
  }

  private void flush(List<String> types) {
    for (String name : waiting) {
      result.add(new TypedName(name, types));
    }
    waiting.clear();
  }

  private static boolean isDash(Node item) {
    return item instanceof Node.Symbol symbol && symbol.text().equals("-");
  }
}
