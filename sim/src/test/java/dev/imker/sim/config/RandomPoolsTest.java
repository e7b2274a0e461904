package dev.imker.sim.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.sim.Examples;
import dev.imker.sim.SimRequest;
import dev.imker.sim.SimResult;
import dev.imker.sim.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pools that nobody tuned anything for. */
class RandomPoolsTest {
  private static final int POOLS = 8;
  private static final List<String> OTHERS =
      List.of("balanced", "performance", "runtime:s=0", "uptime:s=0", "combined-improved");

  @Test
  void same_seed_makes_the_same_pool() {
    assertThat(RandomPools.pool(7)).isEqualTo(RandomPools.pool(7));
    assertThat(RandomPools.pool(7)).isNotEqualTo(RandomPools.pool(8));
  }

  @Test
  void survival_does_more_over_many_pools_than_any_other_strategy_by_itself() {
    double ours = score("survival");
    for (String other : OTHERS) {
      assertThat(ours).as("against " + other).isGreaterThan(score(other));
    }
  }

  /** Mean done rate, and the time until all is done as a share of the longest. */
  private static double score(String strategy) {
    double score = 0;
    for (int seed = 1; seed <= POOLS; seed++) {
      SimResult result = Examples.run(RandomPools.pool(seed), strategy, 1);
      Spread end = result.makespan();
      double late = end == null ? 1 : end.mean() / SimRequest.DEFAULT_UNTIL_MINUTES;
      score += result.avDone().mean() / 100 - late;
    }
    return score / POOLS;
  }
}
