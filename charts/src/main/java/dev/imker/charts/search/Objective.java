package dev.imker.charts.search;

import dev.imker.charts.ChartException;
import dev.imker.charts.NearestName;
import dev.imker.charts.outcome.Figure;
import java.util.List;
import java.util.stream.Stream;

/** What a combination is worth; more is better. A value that is not a number is worth nothing. */
public final class Objective {
  private static final List<String> NAMES =
      Stream.of(Figure.values()).map(f -> f.label().replace('-', '_')).toList();

  private final String text;
  private final Expression expression;
  private final boolean minimised;

  private Objective(String text, Expression expression, boolean minimised) {
    this.text = text;
    this.expression = expression;
    this.minimised = minimised;
  }

  /**
   * Reads the name of a figure, or an expression over figures written with underscores.
   *
   * @throws ChartException if it is neither
   */
  public static Objective parse(String text, boolean minimised) {
    String named = Figure.find(text).map(f -> f.label().replace('-', '_')).orElse(text);
    if (named.equals(text) && text.matches("[A-Za-z][A-Za-z-]*") && !NAMES.contains(text)) {
      throw new ChartException(
          "unknown figure '" + text + "'." + NearestName.hint(text, Figure.labels()));
    }
    return new Objective(text, Expression.parse(named, NAMES), minimised);
  }

  public String text() {
    return minimised ? "minimise " + text : text;
  }

  /** The worth of figures, or negative infinity if it cannot be computed or nothing was run. */
  public double value(double[] figures) {
    double value = expression.value(figures);
    if (Double.isNaN(value) || Double.isNaN(figures[0])) {
      return Double.NEGATIVE_INFINITY;
    }
    return minimised ? -value : value;
  }
}
