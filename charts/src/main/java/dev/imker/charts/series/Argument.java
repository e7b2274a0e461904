package dev.imker.charts.series;

/** What is handed to an indicator. */
public sealed interface Argument {
  Argument bind(double[] parameters);

  static Argument of(SeriesExpr series) {
    return new OfSeries(series);
  }

  static Argument of(Quantity number) {
    return new OfNumber(number);
  }

  static Argument of(double number) {
    return new OfNumber(Quantity.of(number));
  }

  record OfSeries(SeriesExpr series) implements Argument {
    @Override
    public Argument bind(double[] parameters) {
      return new OfSeries(series.bind(parameters));
    }
  }

  record OfNumber(Quantity number) implements Argument {
    @Override
    public Argument bind(double[] parameters) {
      return number instanceof Quantity.Fixed ? this : new OfNumber(number.bind(parameters));
    }
  }

  /** A constant of one of ta4j's enums, or a boolean. */
  record OfChoice(Object constant) implements Argument {
    @Override
    public Argument bind(double[] parameters) {
      return this;
    }
  }
}
