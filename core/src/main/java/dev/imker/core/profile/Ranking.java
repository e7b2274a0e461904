package dev.imker.core.profile;

/**
 * Order statistics of values in −1..1 that come and go, in steps of 1/2048: adding, removing and
 * every question take a dozen steps whatever the number of values.
 *
 * <p>A binary indexed tree (Fenwick 1994) over the counts per step.
 */
final class Ranking {
  private static final int STEPS_PER_UNIT = 2048;
  private static final int CELLS = 8192;

  private final int[] tree = new int[CELLS + 1];
  private int size;

  void add(double value) {
    change(value, 1);
  }

  void remove(double value) {
    change(value, -1);
  }

  int size() {
    return size;
  }

  double min() {
    return quantile(0);
  }

  double max() {
    return quantile(1);
  }

  /** The value at rank share·(size−1), rounded to the nearest; 0 without values. */
  double quantile(double share) {
    if (size == 0) {
      return 0;
    }
    int left = (int) Math.round(share * (size - 1));
    int cell = 0;
    for (int half = CELLS; half > 0; half >>= 1) {
      if (cell + half <= CELLS && tree[cell + half] <= left) {
        cell += half;
        left -= tree[cell];
      }
    }
    return (double) cell / STEPS_PER_UNIT - 1;
  }

  private void change(double value, int by) {
    size += by;
    int cell = (int) Math.round((Math.clamp(value, -1.0, 1.0) + 1) * STEPS_PER_UNIT) + 1;
    for (int i = cell; i <= CELLS; i += i & -i) {
      tree[i] += by;
    }
  }
}
