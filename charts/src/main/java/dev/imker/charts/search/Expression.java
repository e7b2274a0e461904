package dev.imker.charts.search;

import dev.imker.charts.ChartException;
import dev.imker.charts.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Arithmetic over named numbers, as objectives and constraints are written: + - * / ^, comparisons,
 * and or not, min max abs sqrt log exp if. Truth is 1 and 0.
 */
public final class Expression {
  private static final Map<String, Integer> FUNCTIONS =
      Map.of("min", 2, "max", 2, "abs", 1, "sqrt", 1, "log", 1, "exp", 1, "if", 3);

  /** More would be nobody's wish, and end the stack of whoever reads or computes it. */
  private static final int MAX_CHARACTERS = 1000;

  private static final int MAX_NESTED = 50;
  private static final List<String> SYMBOLS =
      List.of("<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "^", "(", ")", ",");

  private final Node root;

  private Expression(Node root) {
    this.root = root;
  }

  /**
   * Reads an expression over the given names; the value of a name is found at its place in the
   * array given to {@link #value}.
   *
   * @throws ChartException if it cannot be understood; tells where
   */
  public static Expression parse(String text, List<String> names) {
    checkSize(text);
    return new Expression(new Parser(text, names).whole());
  }

  private static void checkSize(String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw new ChartException(
          "the expression has %d characters; %d is the limit."
              .formatted(text.length(), MAX_CHARACTERS));
    }
    int nested = 0;
    for (int i = 0; i < text.length(); i++) {
      nested += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
      if (nested > MAX_NESTED) {
        throw new ChartException(
            "the expression is nested more than %d deep.".formatted(MAX_NESTED));
      }
    }
  }

  public double value(double[] variables) {
    return root.value(variables);
  }

  public boolean holds(double[] variables) {
    return value(variables) != 0;
  }

  private interface Node {
    double value(double[] variables);
  }

  private interface Operation {
    double apply(double a, double b);
  }

  private record Binary(Operation operation, Node left, Node right) implements Node {
    @Override
    public double value(double[] variables) {
      return operation.apply(left.value(variables), right.value(variables));
    }
  }

  /** Recursive descent, one method per level of binding. */
  private static final class Parser {
    private final String text;
    private final List<String> names;
    private int at;

    Parser(String text, List<String> names) {
      this.text = text;
      this.names = names;
    }

    Node whole() {
      Node node = disjunction();
      if (!peek().isEmpty()) {
        throw problem("'" + peek() + "' is not expected here");
      }
      return node;
    }

    private Node disjunction() {
      Node left = conjunction();
      while (take("or")) {
        left = new Binary((a, b) -> truth(a != 0 || b != 0), left, conjunction());
      }
      return left;
    }

    private Node conjunction() {
      Node left = negation();
      while (take("and")) {
        left = new Binary((a, b) -> truth(a != 0 && b != 0), left, negation());
      }
      return left;
    }

    private Node negation() {
      if (take("not")) {
        Node node = negation();
        return v -> truth(node.value(v) == 0);
      }
      return comparison();
    }

    private Node comparison() {
      Node left = sum();
      Operation operation =
          switch (peek()) {
            case "<" -> (a, b) -> truth(a < b);
            case ">" -> (a, b) -> truth(a > b);
            case "<=" -> (a, b) -> truth(a <= b);
            case ">=" -> (a, b) -> truth(a >= b);
            case "==" -> (a, b) -> truth(a == b);
            case "!=" -> (a, b) -> truth(a != b);
            default -> null;
          };
      if (operation == null) {
        return left;
      }
      next();
      return new Binary(operation, left, sum());
    }

    private Node sum() {
      Node left = product();
      while (true) {
        if (take("+")) {
          left = new Binary(Double::sum, left, product());
        } else if (take("-")) {
          left = new Binary((a, b) -> a - b, left, product());
        } else {
          return left;
        }
      }
    }

    private Node product() {
      Node left = sign();
      while (true) {
        if (take("*")) {
          left = new Binary((a, b) -> a * b, left, sign());
        } else if (take("/")) {
          left = new Binary((a, b) -> a / b, left, sign());
        } else {
          return left;
        }
      }
    }

    private Node sign() {
      if (take("-")) {
        Node node = sign();
        return v -> -node.value(v);
      }
      return power();
    }

    private Node power() {
      Node base = primary();
      return take("^") ? new Binary(Math::pow, base, sign()) : base;
    }

    private Node primary() {
      String token = next();
      if (token.isEmpty()) {
        throw problem("something is missing at the end");
      }
      if (token.equals("(")) {
        Node node = disjunction();
        expect(")");
        return node;
      }
      if (Character.isDigit(token.charAt(0)) || token.charAt(0) == '.') {
        return constant(token);
      }
      return FUNCTIONS.containsKey(token) && peek().equals("(") ? call(token) : variable(token);
    }

    private Node constant(String token) {
      try {
        double number = Double.parseDouble(token);
        return v -> number;
      } catch (NumberFormatException e) {
        throw problem("'" + token + "' is not a number");
      }
    }

    private Node variable(String name) {
      int index = names.indexOf(name);
      if (index < 0) {
        throw problem("unknown name '" + name + "'." + NearestName.hint(name, names));
      }
      return v -> v[index];
    }

    private Node call(String function) {
      expect("(");
      List<Node> arguments = new ArrayList<>();
      do {
        arguments.add(disjunction());
      } while (take(","));
      expect(")");
      int wanted = FUNCTIONS.getOrDefault(function, 0);
      if (arguments.size() != wanted) {
        throw problem("%s takes %d values, not %d".formatted(function, wanted, arguments.size()));
      }
      Node first = arguments.getFirst();
      return switch (function) {
        case "min" -> new Binary(Math::min, first, arguments.get(1));
        case "max" -> new Binary(Math::max, first, arguments.get(1));
        case "if" ->
            v -> first.value(v) != 0 ? arguments.get(1).value(v) : arguments.get(2).value(v);
        default -> unary(function, first);
      };
    }

    private static Node unary(String function, Node argument) {
      Function<Double, Double> f =
          switch (function) {
            case "abs" -> Math::abs;
            case "sqrt" -> Math::sqrt;
            case "log" -> Math::log;
            default -> Math::exp;
          };
      return v -> f.apply(argument.value(v));
    }

    private static double truth(boolean holds) {
      return holds ? 1 : 0;
    }

    private boolean take(String token) {
      if (peek().equals(token)) {
        next();
        return true;
      }
      return false;
    }

    private void expect(String token) {
      if (!take(token)) {
        throw problem("'" + token + "' is missing");
      }
    }

    private String peek() {
      int before = at;
      String token = next();
      at = before;
      return token;
    }

    private String next() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      for (String symbol : SYMBOLS) {
        if (text.startsWith(symbol, at)) {
          at += symbol.length();
          return symbol;
        }
      }
      int start = at;
      while (at < text.length() && isPartOfName(text.charAt(at))) {
        at++;
      }
      if (start == at && at < text.length()) {
        throw problem("'" + text.charAt(at) + "' is not expected here");
      }
      return text.substring(start, at);
    }

    private static boolean isPartOfName(char c) {
      return Character.isLetterOrDigit(c) || c == '_' || c == '.';
    }

    private ChartException problem(String what) {
      return new ChartException("in '%s', character %d: %s".formatted(text, at + 1, what));
    }
  }
}
