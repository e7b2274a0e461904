package dev.imker.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankingTest {
  private static final double STEP = 1.0 / 2048;

  @Trials
  void quantiles_are_those_of_the_sorted_values(Generator random) {
    List<Double> values = random.listOf(1, 50, g -> g.between(-1.0, 1.0));
    double share = random.between(0.0, 1.0);
    Ranking ranking = new Ranking();
    values.forEach(ranking::add);
    List<Double> sorted = values.stream().sorted().toList();
    int rank = (int) Math.round(share * (values.size() - 1));
    assertThat(ranking.quantile(share)).isCloseTo(sorted.get(rank), within(STEP));
    assertThat(ranking.min()).isCloseTo(sorted.getFirst(), within(STEP));
    assertThat(ranking.max()).isCloseTo(sorted.getLast(), within(STEP));
  }

  @Test
  void removed_values_no_longer_count() {
    Ranking ranking = new Ranking();
    ranking.add(-1);
    ranking.add(0.5);
    ranking.remove(-1);
    assertThat(ranking.min()).isEqualTo(0.5);
    assertThat(ranking.size()).isEqualTo(1);
  }
}
