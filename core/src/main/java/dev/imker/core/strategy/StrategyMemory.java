package dev.imker.core.strategy;

import java.util.Map;

/**
 * What a strategy has learnt of one subject, as named lists of numbers, to be kept over restarts.
 *
 * @param subject whatever the strategy calls it by; at most one memory per subject is kept
 */
public record StrategyMemory(String subject, Map<String, double[]> values) {
  private static final double[] NOTHING = {};

  /** Values by name; empty for one that is not there, such as of an older version. */
  public double[] values(String name) {
    return values.getOrDefault(name, NOTHING);
  }

  /** The first of the values, or what it is without any. */
  public double value(String name, double missing) {
    double[] found = values(name);
    return found.length == 0 ? missing : found[0];
  }
}
