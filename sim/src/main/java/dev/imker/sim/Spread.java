package dev.imker.sim;

import java.util.Arrays;

/** Mean and standard deviation over several runs. */
public record Spread(double mean, double sd) {
  public static Spread of(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return new Spread(mean, values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)));
  }
}
