package dev.imker.sim.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.imker.model.ProjectId;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Failures;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.RunTimes;
import dev.imker.sim.config.SimConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundsTest {
  private static final ProjectId PROJECT = new ProjectId("ann", "p");

  @Test
  void machines_that_never_fail_need_the_minutes_of_the_work_and_one_to_ask_for_each_task() {
    assertThat(EndBound.minutes(pool(2, Failures.NEVER, 100, 20)))
        .isCloseTo(100 * 21 / 2.0, within(1.0));
  }

  @Test
  void failures_cost_the_attempts_that_fail() {
    Failures failures = new Failures.Ramp(0.01, 0.01, 0, 0, 0);
    Attempt attempt = Attempt.of(failures, 1, 0, 20);
    assertThat(attempt.success()).isCloseTo(Math.pow(0.99, 19), within(1e-9));
    assertThat(EndBound.minutes(pool(2, failures, 100, 20)))
        .isCloseTo(100 / attempt.success() * attempt.busyMinutes() / 2, within(2.0));
  }

  @Test
  void machines_that_are_safe_after_a_start_reach_less_than_those_that_never_fail() {
    SimConfig safeAtFirst = pool(2, new Failures.Ramp(0.5, 0.5, 0, 45, 1), 100, 20);
    assertThat(EndBound.minutes(safeAtFirst)).isBetween(1100.0, 1400.0);
  }

  @Test
  void share_done_rises_evenly_where_nothing_fails() {
    ShareBound bound = ShareBound.of(pool(1, Failures.NEVER, 100, 19));
    assertThat(bound.avEff()).isCloseTo(100, within(1e-6));
    assertThat(bound.avDone()).isCloseTo(25, within(0.5)); // half is done after the 1000 minutes
  }

  @Test
  void lengths_that_scatter_are_refused() {
    SimConfig config =
        config(1, Failures.NEVER, new Arrival(0, PROJECT, 1, new RunTimes.Exponential(10)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EndBound.minutes(config))
        .withMessageContaining("tasks of fixed length only");
  }

  private static SimConfig pool(int count, Failures failures, int tasks, double minutes) {
    return config(count, failures, new Arrival(0, PROJECT, tasks, new RunTimes.Fixed(minutes)));
  }

  private static SimConfig config(int count, Failures failures, Arrival arrival) {
    Machines machines = new Machines("m", count, 4000, 1, failures, null, 0);
    return new SimConfig("test", List.of(machines), List.of(arrival), 1000, 0, 20, false, false, 2);
  }
}
