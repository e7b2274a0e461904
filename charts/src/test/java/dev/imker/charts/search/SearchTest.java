package dev.imker.charts.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.ChartException;
import dev.imker.charts.outcome.Figure;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SearchTest {
  private static Parameter parameter(String name, int count) {
    return new Parameter(name, IntStream.rangeClosed(1, count).mapToDouble(i -> i).toArray());
  }

  private final Space space =
      new Space(List.of(parameter("a", 5), parameter("b", 7), parameter("c", 3)), List.of());

  @Trials
  void a_combination_is_its_places(Generator random) {
    int a = random.between(0, 4);
    int b = random.between(0, 6);
    int c = random.between(0, 2);
    long combination = space.combination(new int[] {a, b, c});
    assertThat(space.places(combination)).containsExactly(a, b, c);
    assertThat(space.values(combination)).containsExactly(a + 1, b + 1, c + 1);
  }

  @Test
  void all_combinations_are_tried_once() {
    assertThat(Search.ALL.combinations(space)).hasSize(105).doesNotHaveDuplicates();
  }

  @Test
  void conditions_leave_out_combinations() {
    Space ordered =
        new Space(space.parameters(), List.of(Expression.parse("a < b and c != 2", space.names())));
    for (long combination : Search.ALL.combinations(ordered)) {
      double[] v = ordered.values(combination);
      assertThat(v[0]).isLessThan(v[1]);
      assertThat(v[2]).isNotEqualTo(2);
    }
    assertThatThrownBy(
            () ->
                Search.ALL.combinations(
                    new Space(
                        space.parameters(), List.of(Expression.parse("a > 9", space.names())))))
        .isInstanceOf(ChartException.class)
        .hasMessageContaining("No combination fulfils");
  }

  @Test
  void sampling_keeps_the_budget_and_is_repeatable() {
    for (Search.Method method : List.of(Search.Method.RANDOM, Search.Method.HALTON)) {
      Search search = new Search(method, 20, 3, 5);
      long[] chosen = search.combinations(space);
      assertThat(chosen).hasSize(20).doesNotHaveDuplicates().isEqualTo(search.combinations(space));
    }
  }

  @Test
  void halton_covers_every_value_of_every_parameter_early() {
    long[] chosen = new Search(Search.Method.HALTON, 30, 3, 1).combinations(space);
    for (int p = 0; p < 3; p++) {
      int parameter = p;
      assertThat(Arrays.stream(chosen).map(c -> space.places(c)[parameter]).distinct().count())
          .isEqualTo(space.parameters().get(p).values().length);
    }
  }

  @Test
  void halving_ends_with_the_whole_history() {
    Search search = new Search(Search.Method.HALVING, 500, 3, 1);
    int rounds = search.rounds(500);
    assertThat(rounds).isEqualTo(4);
    assertThat(search.shareOfHistory(rounds - 1, rounds)).isEqualTo(1);
    assertThat(search.shareOfHistory(0, rounds)).isCloseTo(1.0 / 27, within(1e-12));
  }

  @Test
  void neighbours_are_one_step_away() {
    assertThat(space.neighbours(space.combination(new int[] {0, 3, 1}))).hasSize(5);
  }

  /** Worth is high on a lonely peak, and nearly as high on a broad hill. */
  private Evaluated peakAndHill() {
    long[] all = Search.ALL.combinations(space);
    double[] worth = new double[all.length];
    for (int i = 0; i < all.length; i++) {
      int[] p = space.places(all[i]);
      worth[i] = -Math.abs(p[0] - 3) - Math.abs(p[1] - 4) - Math.abs(p[2] - 1);
      worth[i] = p[0] == 0 && p[1] == 0 && p[2] == 0 ? 1 : worth[i];
    }
    return new Evaluated(all, worth);
  }

  @Trials
  void the_best_is_the_first_of_the_ranking(Generator random) {
    List<Integer> worth = random.listOf(1, 30, g -> g.between(Byte.MIN_VALUE, Byte.MAX_VALUE));
    double[] few = worth.stream().mapToDouble(w -> w / 64).toArray(); // so that many are equal
    long[] combinations = LongStream.range(0, few.length).map(i -> 3 * i).toArray();
    Evaluated evaluated = new Evaluated(combinations, few);
    assertThat(evaluated.best()).isEqualTo(evaluated.ranking()[0]);
    for (int i = 0; i < few.length; i++) {
      assertThat(evaluated.place(combinations[i])).isEqualTo(i);
      assertThat(evaluated.place(combinations[i] + 1)).isEqualTo(-1);
    }
  }

  @Test
  void selections_choose_peak_plateau_or_centre() {
    Evaluated evaluated = peakAndHill();
    assertThat(places(evaluated, Selection.BEST)).containsExactly(0, 0, 0);
    assertThat(places(evaluated, Selection.ROBUST)).containsExactly(3, 4, 1);
    int[] centre = places(evaluated, Selection.CENTRE);
    assertThat(centre[0]).as("pulled from 3 towards the peak").isEqualTo(2);
    assertThat(centre[2]).isEqualTo(1);
  }

  private int[] places(Evaluated evaluated, Selection selection) {
    return space.places(evaluated.combinations()[selection.choose(evaluated, space)]);
  }

  @Test
  void objectives_are_figures_or_expressions() {
    double[] figures = new double[Figure.values().length];
    figures[Figure.SHARPE.ordinal()] = 1.5;
    figures[Figure.MAX_DRAWDOWN.ordinal()] = 0.2;
    figures[Figure.TRADES.ordinal()] = 4;
    assertThat(Objective.parse("sharpe", false).value(figures)).isEqualTo(1.5);
    assertThat(Objective.parse("max-drawdown", true).value(figures)).isEqualTo(-0.2);
    assertThat(Objective.parse("if(trades < 5, -1, sharpe)", false).value(figures)).isEqualTo(-1);
    assertThat(Objective.parse("2 * sharpe - max_drawdown ^ 2 / 4", false).value(figures))
        .isCloseTo(2.99, within(1e-12));
    assertThatThrownBy(() -> Objective.parse("sharp", false))
        .hasMessage("unknown figure 'sharp'. Did you mean 'sharpe'?");
  }

  @Test
  void wrong_expressions_are_told_with_their_place() {
    List<String> names = List.of("a", "b");
    assertThatThrownBy(() -> Expression.parse("(".repeat(900) + "a", names))
        .hasMessageContaining("nested more than 50 deep");
    assertThatThrownBy(() -> Expression.parse("a+".repeat(100_000) + "a", names))
        .hasMessageContaining("1000 is the limit");
    assertThatThrownBy(() -> Expression.parse("a + ", names)).hasMessageContaining("character 5");
    assertThatThrownBy(() -> Expression.parse("(a + b", names))
        .hasMessageContaining("')' is missing");
    assertThatThrownBy(() -> Expression.parse("min(a)", names))
        .hasMessageContaining("min takes 2 values, not 1");
    assertThatThrownBy(() -> Expression.parse("a ? b", names)).hasMessageContaining("'?'");
  }

  /** A hill with smaller ones around it, in a space of a million points. */
  private static double hill(double[] v) {
    double worth = 0;
    for (int i = 0; i < v.length; i++) {
      double away = v[i] - (23 + 19 * i);
      worth += -away * away / 400 + 0.3 * Math.cos(away / 3);
    }
    return worth;
  }

  private static Evaluated evaluated(Space space, long[] combinations) {
    long[] sorted = combinations.clone();
    Arrays.sort(sorted);
    return new Evaluated(
        sorted, Arrays.stream(sorted).mapToDouble(c -> hill(space.values(c))).toArray());
  }

  @Test
  void evolution_finds_better_combinations_than_as_many_at_random() {
    Space wide =
        new Space(
            List.of(parameter("a", 100), parameter("b", 100), parameter("c", 100)),
            List.of(Expression.parse("a + b < 180", List.of("a", "b", "c"))));
    int better = 0;
    for (long seed = 1; seed <= 20; seed++) {
      Search search = new Search(Search.Method.EVOLUTION, 400, 40, seed);
      long[] known = search.combinations(wide);
      for (int generation = 1; generation < search.generations(wide); generation++) {
        long[] next = new Evolution(wide, seed, 40).next(evaluated(wide, known), generation);
        assertThat(next)
            .hasSize(40)
            .doesNotContain(known)
            .isEqualTo(new Evolution(wide, seed, 40).next(evaluated(wide, known), generation));
        assertThat(Arrays.stream(next)).allMatch(wide::isAllowed);
        known = LongStream.concat(Arrays.stream(known), Arrays.stream(next)).toArray();
      }
      assertThat(known).hasSize(400).doesNotHaveDuplicates();
      Evaluated bred = evaluated(wide, known);
      Evaluated drawn =
          evaluated(wide, new Search(Search.Method.RANDOM, 400, 3, seed).combinations(wide));
      better += bred.worth(bred.best()) > drawn.worth(drawn.best()) ? 1 : 0;
    }
    assertThat(better).isGreaterThanOrEqualTo(18);
  }

  @Test
  void evolution_ends_well_when_nothing_new_is_left() {
    long[] all = Search.ALL.combinations(space);
    Evaluated known = evaluated(space, all);
    assertThat(new Evolution(space, 1, 10).next(known, 1))
        .containsExactly(known.combinations()[known.best()]);
    assertThat(new Search(Search.Method.EVOLUTION, 200, 10, 1).generations(space)).isEqualTo(1);
  }
}
