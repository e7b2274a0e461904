package dev.imker.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.sim.config.SimConfig;
import org.junit.jupiter.api.Test;

class PoliciesTest {
  @Test
  void central_manager_and_central_queue_differ_where_machines_run_several_tasks() {
    SimConfig config = Examples.read("many-cores.yaml");
    SimResult manager = Examples.run(config, "central-manager", 2);
    SimResult queue = Examples.run(config, "central-queue", 2);
    // The first machines of the file are frail: few tasks fill the machines that asked first.
    assertThat(Math.abs(manager.avEff().mean() - queue.avEff().mean())).isGreaterThan(1);
    SimConfig single = Examples.read("ramp-a.xml");
    assertThat(Examples.run(single, "central-manager", 1).avEff())
        .isEqualTo(Examples.run(single, "central-queue", 1).avEff());
  }

  @Test
  void three_runs_with_copies_are_the_same_to_the_last_bit() {
    SimConfig config = Examples.read("constant-b.xml");
    for (String strategy : new String[] {"combined-improved"}) {
      SimResult first = run(config, strategy);
      for (int i = 0; i < 2; i++) {
        assertThat(run(config, strategy).runs()).usingRecursiveComparison().isEqualTo(first.runs());
      }
    }
  }

  private static SimResult run(SimConfig config, String strategy) {
    return Simulator.run(config, strategy, 3, true, SimRequest.DEFAULT_UNTIL_MINUTES, false);
  }
}
