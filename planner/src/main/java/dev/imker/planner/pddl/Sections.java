package dev.imker.planner.pddl;

import java.util.ArrayList;
import java.util.List;

/** The outer form {@code (define (domain name) (:section …) …)}. */
record Sections(String name, List<Section> sections) {

  /** One keyword list; {@code body} is what follows the keyword. */
  record Section(Node.Symbol keyword, Node.Group group) {
    List<Node> body() {
      return group.items().subList(1, group.items().size());
    }

    Node only(String expectation) {
      if (body().isEmpty()) {
        throw group.missing(expectation);
      }
      if (body().size() > 1) {
        throw PddlException.expected("')' after " + expectation, body().get(1));
      }
      return body().getFirst();
    }
  }

  static Sections read(String text, String kind) {
    Node.Group root = SyntaxReader.read(text);
    List<Node> items = root.items();
    if (items.isEmpty()) {
      throw root.missing("'define'");
    }
    if (!isSymbol(items.getFirst(), "define")) {
      throw PddlException.expected("'define'", items.getFirst());
    }
    if (items.size() < 2) {
      throw root.missing("'(" + kind + " name)'");
    }
    String name = readName(items.get(1), kind);
    List<Section> sections = new ArrayList<>();
    for (Node item : items.subList(2, items.size())) {
      sections.add(readSection(item));
    }
    return new Sections(name, sections);
  }

  private static String readName(Node node, String kind) {
    if (node instanceof Node.Group group
        && group.items().size() == 2
        && isSymbol(group.items().getFirst(), kind)
        && group.items().get(1) instanceof Node.Symbol name) {
      return name.text();
    }
    throw PddlException.at(node, "expected '(" + kind + " name)'");
  }

  private static Section readSection(Node node) {
    if (!(node instanceof Node.Group group)) {
      throw PddlException.expected("a section such as '(:init …)'", node);
    }
    if (group.items().isEmpty()) {
      throw group.missing("a keyword such as ':init'");
    }
    if (group.items().getFirst() instanceof Node.Symbol keyword && keyword.text().startsWith(":")) {
      return new Section(keyword, group);
    }
    throw PddlException.expected("a keyword such as ':init'", group.items().getFirst());
  }

  static boolean isSymbol(Node node, String text) {
    return node instanceof Node.Symbol symbol && symbol.text().equals(text);
  }
}
