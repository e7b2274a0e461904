package dev.imker.planner.internal.sat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.testbase.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CdclTest {
  private static Cdcl solver() {
    return new Cdcl(new Stopwatch(Duration.ofSeconds(60), () -> false));
  }

  private static int[] randomClause(Random random, int variables) {
    int length = 2 + random.nextInt(2);
    return IntStream.range(0, length)
        .map(_ -> (1 + random.nextInt(variables)) * (random.nextBoolean() ? 1 : -1))
        .distinct()
        .toArray();
  }

  /** Clauses are added in portions; after each the answers under assumptions are compared. */
  @Trials(400)
  void agrees_with_sat4j_while_the_formula_grows(long seed) {
    Random random = new Random(seed);
    int variables = 5 + random.nextInt(60);
    Cdcl own = solver();
    for (int i = 0; i < variables; i++) {
      own.newVariable();
    }
    List<int[]> clauses = new ArrayList<>();
    for (int portion = 0; portion < 6; portion++) {
      for (int i = 0; i < variables / 2 + 1; i++) {
        int[] clause = randomClause(random, variables);
        clauses.add(clause);
        own.addClause(clause);
      }
      int[] assumptions = randomClause(random, variables);
      boolean satisfiable = own.isSatisfiable(assumptions);
      assertThat(satisfiable).isEqualTo(secondOpinion(clauses, assumptions));
      if (satisfiable) {
        assertThat(clauses).allMatch(clause -> holds(clause, own));
        assertThat(assumptions).matches(a -> IntStream.of(a).allMatch(l -> isTrue(l, own)));
      }
    }
  }

  /** sat4j, asked anew: it fails on assumptions that contradict each other. */
  private static boolean secondOpinion(List<int[]> clauses, int[] assumptions) {
    SatSolver solver = new Sat4jSolver();
    clauses.forEach(solver::addClause);
    IntStream.of(assumptions).forEach(solver::addClause);
    return solver.isSatisfiable();
  }

  private static boolean holds(int[] clause, SatSolver solver) {
    return IntStream.of(clause).anyMatch(literal -> isTrue(literal, solver));
  }

  private static boolean isTrue(int literal, SatSolver solver) {
    return solver.isTrue(Math.abs(literal)) == literal > 0;
  }

  private static void addPigeons(SatSolver solver, int pigeons, int holes) {
    int[][] in = new int[pigeons][holes];
    for (int[] row : in) {
      for (int h = 0; h < holes; h++) {
        row[h] = solver.newVariable();
      }
      solver.addClause(row);
    }
    for (int h = 0; h < holes; h++) {
      for (int p = 0; p < pigeons; p++) {
        for (int q = 0; q < p; q++) {
          solver.addClause(-in[p][h], -in[q][h]);
        }
      }
    }
  }

  @Test
  void forgets_learnt_clauses_without_forgetting_the_problem() {
    Cdcl solver = solver();
    addPigeons(solver, 9, 8);

    assertThat(solver.isSatisfiable()).isFalse();
    assertThat(solver.conflictCount()).isGreaterThan(3000);
  }

  @Test
  void stops_when_it_is_told() {
    long[] asked = {0};
    Cdcl solver = new Cdcl(new Stopwatch(Duration.ofDays(1), () -> ++asked[0] > 20));
    addPigeons(solver, 14, 13);

    assertThatThrownBy(solver::isSatisfiable).isInstanceOf(Stopwatch.Stopped.class);
  }

  @Test
  void a_contradiction_stays_one() {
    Cdcl solver = solver();
    int x = solver.newVariable();
    solver.addClause(x);
    solver.addClause(-x);

    assertThat(solver.isSatisfiable()).isFalse();
    assertThat(solver.isSatisfiable(x)).isFalse();
  }
}
