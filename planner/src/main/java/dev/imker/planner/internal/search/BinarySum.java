package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.IntList;
import dev.imker.planner.internal.sat.SatSolver;
import java.util.ArrayList;
import java.util.List;

/**
 * The sum of the weights of true variables as a formula: adders over the bits of the weights, whose
 * outputs are the bits of the sum. (Eén and Sörensson, Translating Pseudo-Boolean Constraints into
 * SAT, 2006.) It is built once; bounds that become tighter are single clauses.
 */
final class BinarySum {
  private final SatSolver solver;
  private final List<IntList> columns = new ArrayList<>();
  private int[] bits = new int[0];

  BinarySum(SatSolver solver) {
    this.solver = solver;
  }

  void add(int variable, long weight) {
    for (int bit = 0; weight >> bit != 0; bit++) {
      if ((weight >> bit & 1) == 1) {
        column(bit).add(variable);
      }
    }
  }

  private IntList column(int bit) {
    while (columns.size() <= bit) {
      columns.add(new IntList());
    }
    return columns.get(bit);
  }

  /** To be called after all were added. */
  void close() {
    for (int bit = 0; bit < columns.size(); bit++) {
      IntList open = columns.get(bit);
      int head = 0;
      while (open.size() - head > 1) {
        int a = open.get(head++);
        int b = open.get(head++);
        if (open.size() > head) {
          int c = open.get(head++);
          open.add(exclusive(exclusive(a, b), c));
          column(bit + 1).add(majority(a, b, c));
        } else {
          open.add(exclusive(a, b));
          column(bit + 1).add(both(a, b));
        }
      }
    }
    bits = new int[columns.size()];
    for (int bit = 0; bit < bits.length; bit++) {
      IntList column = columns.get(bit);
      bits[bit] = column.size() == 0 ? 0 : column.get(column.size() - 1);
    }
  }

  private int exclusive(int a, int b) {
    int sum = solver.newVariable();
    solver.addClause(-sum, a, b);
    solver.addClause(-sum, -a, -b);
    solver.addClause(sum, -a, b);
    solver.addClause(sum, a, -b);
    return sum;
  }

  private int both(int a, int b) {
    int carry = solver.newVariable();
    solver.addClause(-carry, a);
    solver.addClause(-carry, b);
    solver.addClause(carry, -a, -b);
    return carry;
  }

  private int majority(int a, int b, int c) {
    int carry = solver.newVariable();
    solver.addClause(carry, -a, -b);
    solver.addClause(carry, -a, -c);
    solver.addClause(carry, -b, -c);
    solver.addClause(-carry, a, b);
    solver.addClause(-carry, a, c);
    solver.addClause(-carry, b, c);
    return carry;
  }

  /** Demands that the sum is at most this, from now on. */
  void atMost(long bound) {
    for (int bit = 0; bit < bits.length; bit++) {
      if (bits[bit] != 0 && (bound >> bit & 1) == 0) {
        IntList clause = new IntList();
        clause.add(-bits[bit]);
        boolean possible = false;
        for (int higher = bit + 1; higher < Math.max(bits.length, Long.SIZE - 1); higher++) {
          if ((bound >> higher & 1) == 1) {
            if (higher < bits.length && bits[higher] != 0) {
              clause.add(-bits[higher]);
            } else {
              possible = true; // the sum never has that bit, so it is smaller
            }
          }
        }
        if (!possible) {
          solver.addClause(clause.toArray());
        }
      }
    }
  }
}
