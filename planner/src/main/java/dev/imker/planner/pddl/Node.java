package dev.imker.planner.pddl;

import java.util.List;

/** One element of a parenthesised text, with the place it was read from. */
sealed interface Node {
  int line();

  int column();

  /** How an error message names this node; never long. */
  String describe();

  /** A word, lower-cased since PDDL ignores case. */
  record Symbol(String text, int line, int column) implements Node {
    private static final int SHOWN_CHARS = 40;

    @Override
    public String describe() {
      return "'"
          + (text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…")
          + "'";
    }
  }

  /** A parenthesised list; the position is that of its opening parenthesis. */
  final class Group implements Node {
    private final List<Node> items;
    private final int line;
    private final int column;
    private int endLine;
    private int endColumn;

    Group(List<Node> items, int line, int column) {
      this.items = items;
      this.line = line;
      this.column = column;
      this.endLine = line;
      this.endColumn = column;
    }

    void closeAt(int closingLine, int closingColumn) {
      this.endLine = closingLine;
      this.endColumn = closingColumn;
    }

    List<Node> items() {
      return items;
    }

    @Override
    public int line() {
      return line;
    }

    @Override
    public int column() {
      return column;
    }

    @Override
    public String describe() {
      return items.isEmpty() ? "'()'" : "a list in parentheses";
    }

    /** The error for a list that ends too early. */
    PddlException missing(String expectation) {
      return new PddlException(endLine, endColumn, "expected " + expectation + " but found ')'");
    }
  }
}
