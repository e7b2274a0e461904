package dev.imker.sim.bound;

/**
 * Maximises c·x subject to A·x ≤ b and x ≥ 0 with b ≥ 0, where zero is feasible: the simplex method
 * on a dense tableau (Dantzig 1963). The right sides are perturbed by a billionth to avoid
 * degenerate steps and cycles.
 */
final class Simplex {
  private static final double ZERO = 1e-9;
  private static final double APART = 1e-9;

  private final double[][] rows;
  private final double[] objective;
  private final int[] basis;
  private final int variables;

  /**
   * @param rows the rows of A, each with its right side at the end
   * @param objective c; overwritten, like the rows
   */
  Simplex(double[][] rows, double[] objective) {
    this.rows = rows;
    this.variables = objective.length;
    this.objective = new double[variables + 1];
    System.arraycopy(objective, 0, this.objective, 0, variables);
    basis = new int[rows.length];
    double most = 1;
    for (double[] row : rows) {
      if (row[variables] < 0) {
        throw new IllegalArgumentException("a right side is negative: " + row[variables]);
      }
      most = Math.max(most, row[variables]);
    }
    for (int i = 0; i < rows.length; i++) {
      basis[i] = variables + i;
      rows[i][variables] += APART * most * (1 + (double) i / rows.length);
    }
  }

  /** The values of x at the maximum. */
  double[] solve() {
    // Column j represents x_j until it enters the basis, then the slack that left for it.
    int[] columns = new int[variables];
    for (int j = 0; j < variables; j++) {
      columns[j] = j;
    }
    for (int column = entering(); column >= 0; column = entering()) {
      int row = leaving(column);
      pivot(row, column);
      int entered = columns[column];
      columns[column] = basis[row];
      basis[row] = entered;
    }
    double[] values = new double[variables];
    for (int i = 0; i < basis.length; i++) {
      if (basis[i] < variables) {
        values[basis[i]] = rows[i][variables];
      }
    }
    return values;
  }

  private int entering() {
    int best = -1;
    double most = ZERO;
    for (int j = 0; j < variables; j++) {
      if (objective[j] > most) {
        most = objective[j];
        best = j;
      }
    }
    return best;
  }

  private int leaving(int column) {
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < rows.length; i++) {
      double pivot = rows[i][column];
      if (pivot > ZERO && rows[i][variables] / pivot < least) {
        least = rows[i][variables] / pivot;
        best = i;
      }
    }
    if (best < 0) {
      throw new IllegalArgumentException("there is no maximum: x" + column + " may grow for ever");
    }
    return best;
  }

  private void pivot(int row, int column) {
    double[] own = rows[row];
    double inverse = 1 / own[column];
    for (int j = 0; j <= variables; j++) {
      own[j] *= inverse;
    }
    own[column] = inverse;
    for (int i = 0; i < rows.length; i++) {
      if (i != row) {
        eliminate(rows[i], own, column);
      }
    }
    eliminate(objective, own, column);
  }

  private void eliminate(double[] other, double[] own, int column) {
    double factor = other[column];
    if (factor == 0) {
      return;
    }
    for (int j = 0; j <= variables; j++) {
      other[j] -= factor * own[j];
    }
    other[column] = -factor * own[column];
  }
}
