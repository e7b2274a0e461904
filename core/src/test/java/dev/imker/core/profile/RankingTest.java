package dev.imker.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RankingTest {
  private static final double STEP = 1.0 / 2048;

  @Property
  void quantiles_are_those_of_the_sorted_values(
      @ForAll @Size(min = 1, max = 50) List<@DoubleRange(min = -1, max = 1) Double> values,
      @ForAll @DoubleRange(min = 0, max = 1) double share) {
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
