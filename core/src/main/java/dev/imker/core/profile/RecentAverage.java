package dev.imker.core.profile;

import java.util.Arrays;

/**
 * Exponentially weighted average of the newest ten values: v̄ₙ = α·vₙ + (1−α)·v̄ₙ₋₁, v̄₁ = v₁ (the
 * oldest of the ten), α = 0.25.
 */
final class RecentAverage {
  public static final double WEIGHT = 0.25;
  public static final int WINDOW = 10;

  private final double[] values = new double[WINDOW];
  private int next;
  private int size;
  private double average;

  public void add(double value) {
    values[next] = value;
    next = (next + 1) % WINDOW;
    size = Math.min(size + 1, WINDOW);
    average = average(0);
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** The average, 0 while nothing was recorded. */
  public double value() {
    return average;
  }

  /** Standard deviation of the values of the window; of a single one half of it. */
  public double deviation() {
    if (size < 2) {
      return average / 2;
    }
    double mean = Arrays.stream(values()).average().orElse(0);
    double squares = Arrays.stream(values()).map(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares / (size - 1));
  }

  /** The average as it would be if {@code newest} were recorded now. */
  public double valueWith(double newest) {
    if (size == 0) {
      return newest;
    }
    double before = size == WINDOW ? average(1) : average;
    return WEIGHT * newest + (1 - WEIGHT) * before;
  }

  /** The values of the window, oldest first. */
  public double[] values() {
    double[] copy = new double[size];
    for (int i = 0; i < size; i++) {
      copy[i] = at(i);
    }
    return copy;
  }

  public void restore(double[] oldestFirst) {
    next = 0;
    size = 0;
    average = 0;
    for (double value : oldestFirst) {
      add(value);
    }
  }

  private double average(int from) {
    double result = at(from);
    for (int i = from + 1; i < size; i++) {
      result = WEIGHT * at(i) + (1 - WEIGHT) * result;
    }
    return result;
  }

  private double at(int age) {
    return values[(next - size + age + 2 * WINDOW) % WINDOW];
  }
}
