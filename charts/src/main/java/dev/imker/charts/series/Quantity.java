package dev.imker.charts.series;

/** A number in a strategy: fixed, or a parameter that an optimisation varies. */
public sealed interface Quantity {
  double at(double[] parameters);

  default Fixed bind(double[] parameters) {
    return new Fixed(at(parameters));
  }

  static Quantity of(double value) {
    return new Fixed(value);
  }

  /** A number written in the file. */
  record Fixed(double value) implements Quantity {
    @Override
    public double at(double[] parameters) {
      return value;
    }

    @Override
    public Fixed bind(double[] parameters) {
      return this;
    }
  }

  /** The parameter at a place of the combination. */
  record Parameter(int index) implements Quantity {
    @Override
    public double at(double[] parameters) {
      return parameters[index];
    }
  }
}
