package dev.imker.charts.series;

import dev.imker.charts.market.Frame;
import dev.imker.charts.search.Expression;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a series is computed from. Equal expressions mean equal series, so that a bound expression
 * (one without parameters) is the key under which its series is shared.
 */
public sealed interface SeriesExpr {
  SeriesExpr CLOSE = new Call("ClosePriceIndicator(BarSeries)", List.of());

  /** The same expression with every parameter replaced by its value. */
  SeriesExpr bind(double[] parameters);

  /** The same value at every bar. */
  record Constant(Quantity value) implements SeriesExpr {
    @Override
    public SeriesExpr bind(double[] parameters) {
      return value instanceof Quantity.Fixed ? this : new Constant(value.bind(parameters));
    }
  }

  /** An indicator of the catalogue, by the key of its signature. */
  record Call(String key, List<Argument> arguments) implements SeriesExpr {
    public Call {
      arguments = List.copyOf(arguments);
    }

    public static Call of(String key, Argument... arguments) {
      return new Call(key, List.of(arguments));
    }

    @Override
    public SeriesExpr bind(double[] parameters) {
      if (arguments.isEmpty()) {
        return this;
      }
      return new Call(key, arguments.stream().map(a -> a.bind(parameters)).toList());
    }
  }

  /** Two series combined bar by bar. */
  record Arithmetic(Operator operator, SeriesExpr left, SeriesExpr right) implements SeriesExpr {
    @Override
    public SeriesExpr bind(double[] parameters) {
      return new Arithmetic(operator, left.bind(parameters), right.bind(parameters));
    }
  }

  /**
   * A formula over other series, computed bar by bar.
   *
   * @param inputs in the order in which the expression knows them
   */
  record Formula(String text, Expression expression, List<SeriesExpr> inputs)
      implements SeriesExpr {
    public Formula {
      inputs = List.copyOf(inputs);
    }

    @Override
    public SeriesExpr bind(double[] parameters) {
      return new Formula(
          text, expression, inputs.stream().map(input -> input.bind(parameters)).toList());
    }
  }

  /** Over longer bars of the same market; known when those have ended. */
  record InFrame(Frame frame, SeriesExpr of) implements SeriesExpr {
    @Override
    public SeriesExpr bind(double[] parameters) {
      return new InFrame(frame, of.bind(parameters));
    }
  }

  /** Of another market; known when the bars of that have ended. */
  record OfMarket(String market, SeriesExpr of) implements SeriesExpr {
    @Override
    public SeriesExpr bind(double[] parameters) {
      return new OfMarket(market, of.bind(parameters));
    }
  }

  /** An indicator of a user's library. */
  record Java(String name, Map<String, Argument> arguments) implements SeriesExpr {
    public Java {
      arguments = Map.copyOf(arguments);
    }

    @Override
    public SeriesExpr bind(double[] parameters) {
      Map<String, Argument> bound = new HashMap<>();
      arguments.forEach((key, argument) -> bound.put(key, argument.bind(parameters)));
      return new Java(name, bound);
    }
  }

  /** The operators of {@link Arithmetic}; a division by zero has no value. */
  enum Operator {
    PLUS,
    MINUS,
    TIMES,
    DIVIDED_BY,
    MIN,
    MAX;

    public double apply(double a, double b) {
      return switch (this) {
        case PLUS -> a + b;
        case MINUS -> a - b;
        case TIMES -> a * b;
        case DIVIDED_BY -> b == 0 ? Double.NaN : a / b;
        case MIN -> Math.min(a, b);
        case MAX -> Math.max(a, b);
      };
    }
  }
}
