package dev.imker.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final int SEEDS = 150;

  @Test
  void pools_keep_their_promises_whatever_happens() {
    long first = Long.getLong("imker.seed", ThreadLocalRandom.current().nextLong(1L << 40));
    System.out.println("simulated seeds from " + first + " on (-Dimker.seed=" + first + ")");
    Seeds seeds = new Seeds();
    for (long seed = first; seed < first + SEEDS; seed++) {
      assertKept(seeds.run(seed));
    }
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertKept(seeds.run(seed));
    }
  }

  @Test
  void the_same_seed_is_the_same_history() {
    for (long seed = 1; seed <= 20; seed++) {
      Seeds one = new Seeds();
      one.run(seed);
      Seeds other = new Seeds();
      other.run(seed);
      assertThat(other.fingerprint()).as("seed %d", seed).isEqualTo(one.fingerprint());
    }
  }

  private static void assertKept(Optional<Seeds.Finding> found) {
    assertThat(found.map(Seeds.Finding::describe)).isEmpty();
  }
}
