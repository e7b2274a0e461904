package dev.imker.planner.actions;

import java.util.Arrays;
import java.util.List;

/**
 * A statement about named values, or, without any, that a value of a type is known. In an action
 * the terms are the names of its parameters.
 *
 * <p>As text: {@code In(d,from)}, {@code com.example.UserId}, and negated {@code !In(d,from)}.
 */
public record Relation(String name, List<String> terms, boolean positive) {
  public Relation {
    terms = List.copyOf(terms);
    if (name.isBlank()) {
      throw new IllegalArgumentException("a relation needs a name");
    }
  }

  public static Relation relation(String name, String... terms) {
    return new Relation(name, List.of(terms), true);
  }

  /**
   * @throws IllegalArgumentException if the text has another form
   */
  public static Relation parse(String text) {
    String trimmed = text.strip();
    boolean positive = !trimmed.startsWith("!");
    String plain = positive ? trimmed : trimmed.substring(1).strip();
    int open = plain.indexOf('(');
    if (open < 0 && isName(plain)) {
      return new Relation(plain, List.of(), positive);
    }
    if (open > 0 && plain.endsWith(")")) {
      String inside = plain.substring(open + 1, plain.length() - 1);
      List<String> terms =
          inside.isBlank()
              ? List.of()
              : Arrays.stream(inside.split(",", -1)).map(String::strip).toList();
      String name = plain.substring(0, open).strip();
      if (isName(name) && terms.stream().allMatch(Relation::isName)) {
        return new Relation(name, terms, positive);
      }
    }
    throw new IllegalArgumentException(
        "expected a relation such as 'In(file,folder)' but found '" + text + "'");
  }

  private static boolean isName(String text) {
    return !text.isEmpty()
        && text.chars().allMatch(c -> Character.isJavaIdentifierPart(c) || c == '.' || c == '-');
  }

  @Override
  public String toString() {
    return (positive ? "" : "!")
        + name
        + (terms.isEmpty() ? "" : "(" + String.join(",", terms) + ")");
  }
}
