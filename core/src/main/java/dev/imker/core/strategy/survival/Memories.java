package dev.imker.core.strategy.survival;

/** Arrays as lists of numbers and back; a list of another length is of another version: dropped. */
final class Memories {
  private Memories() {}

  /** Short decimals that give the same floats again. */
  static double[] of(float[] values) {
    double[] memory = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      memory[i] = Double.parseDouble(Float.toString(values[i]));
    }
    return memory;
  }

  static double[] of(long[] values) {
    double[] memory = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      memory[i] = values[i];
    }
    return memory;
  }

  static double[] of(int[] values) {
    double[] memory = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      memory[i] = values[i];
    }
    return memory;
  }

  static void into(double[] memory, float[] values) {
    for (int i = 0; memory.length == values.length && i < values.length; i++) {
      values[i] = (float) memory[i];
    }
  }

  static void into(double[] memory, double[] values) {
    for (int i = 0; memory.length == values.length && i < values.length; i++) {
      values[i] = memory[i];
    }
  }

  static void into(double[] memory, long[] values) {
    for (int i = 0; memory.length == values.length && i < values.length; i++) {
      values[i] = (long) memory[i];
    }
  }

  static void into(double[] memory, int[] values) {
    for (int i = 0; memory.length == values.length && i < values.length; i++) {
      values[i] = (int) memory[i];
    }
  }
}
