package dev.imker.planner.pddl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Locale;

/**
 * Turns a text into one tree of nodes. Keeps its own stack, so that no nesting depth can exhaust
 * the thread's.
 */
final class SyntaxReader {
  private final String text;
  private final Deque<Node.Group> open = new ArrayDeque<>();
  private int position;
  private int line = 1;
  private int column = 1;

  private SyntaxReader(String text) {
    this.text = text;
  }

  static Node.Group read(String text) {
    return new SyntaxReader(text).readWhole();
  }

  private Node.Group readWhole() {
    skipBlank();
    if (atEnd()) {
      throw error("expected '(define …)' but the text is empty");
    }
    if (current() != '(') {
      throw error("expected '(' but found " + describeCurrent());
    }
    Node.Group root = readGroup();
    skipBlank();
    if (!atEnd()) {
      throw error("expected the end of the text but found " + describeCurrent());
    }
    return root;
  }

  private Node.Group readGroup() {
    Node.Group root = openGroup();
    open.push(root);
    while (!open.isEmpty()) {
      skipBlank();
      if (atEnd()) {
        Node.Group unclosed = open.element();
        throw error(
            "expected ')' for the '(' of line %d, column %d but the text ends"
                .formatted(unclosed.line(), unclosed.column()));
      }
      readNext();
    }
    return root;
  }

  private void readNext() {
    switch (current()) {
      case '(' -> {
        Node.Group inner = openGroup();
        open.element().items().add(inner);
        open.push(inner);
      }
      case ')' -> {
        open.pop().closeAt(line, column);
        advance();
      }
      default -> open.element().items().add(readSymbol());
    }
  }

  private Node.Group openGroup() {
    Node.Group group = new Node.Group(new ArrayList<>(), line, column);
    advance();
    return group;
  }

  private Node.Symbol readSymbol() {
    int start = position;
    int startLine = line;
    int startColumn = column;
    while (!atEnd() && isSymbolChar(current())) {
      advance();
    }
    if (position == start) {
      throw error("expected a name or a parenthesis but found " + describeCurrent());
    }
    return new Node.Symbol(
        text.substring(start, position).toLowerCase(Locale.ROOT), startLine, startColumn);
  }

  private void skipBlank() {
    while (!atEnd()) {
      if (current() == ';') {
        skipComment();
      } else if (Character.isWhitespace(current()) || current() == '\uFEFF') {
        advance();
      } else {
        return;
      }
    }
  }

  private void skipComment() {
    while (!atEnd() && current() != '\n') {
      advance();
    }
  }

  private static boolean isSymbolChar(char c) {
    return c > ' '
        && c != '('
        && c != ')'
        && c != ';'
        && c != '"'
        && !Character.isWhitespace(c)
        && !Character.isISOControl(c);
  }

  private boolean atEnd() {
    return position >= text.length();
  }

  private char current() {
    return text.charAt(position);
  }

  private void advance() {
    if (current() == '\n') {
      line++;
      column = 1;
    } else {
      column++;
    }
    position++;
  }

  private String describeCurrent() {
    char c = current();
    return Character.isISOControl(c) ? "character U+%04X".formatted((int) c) : "'" + c + "'";
  }

  private PddlException error(String problem) {
    return new PddlException(line, column, problem);
  }
}
