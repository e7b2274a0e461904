package dev.imker.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.sim.config.RandomPools;
import dev.imker.sim.config.SimConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies at the tail are made to end sooner; they must not do the opposite. */
class CopiesTest {
  private static final int SEEDS = 2;

  @Test
  void copies_do_not_lengthen_the_time_until_all_is_done() {
    List<SimConfig> configs = new ArrayList<>();
    configs.add(Examples.read("ramp-a.xml"));
    configs.add(Examples.read("constant-b.xml"));
    configs.add(Examples.read("night-shift.yaml"));
    for (int seed = 10; seed < 16; seed++) {
      configs.add(RandomPools.pool(seed));
    }
    double sum = 0;
    for (SimConfig config : configs) {
      sum += end(config, true) / end(config, false);
    }
    assertThat(sum / configs.size()).isLessThan(1.0);
  }

  private static double end(SimConfig config, boolean copies) {
    double sum = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      SimRun run =
          new Simulation(
                  config,
                  Strategies.parse("survival"),
                  copies,
                  seed,
                  SimRequest.DEFAULT_UNTIL_MINUTES,
                  false)
              .run(() -> {});
      sum += run.isFinished() ? run.makespan() : SimRequest.DEFAULT_UNTIL_MINUTES;
    }
    return sum / SEEDS;
  }
}
