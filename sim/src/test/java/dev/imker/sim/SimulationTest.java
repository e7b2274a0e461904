package dev.imker.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.model.ProjectId;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Failures;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.RunTimes;
import dev.imker.sim.config.SimConfig;
import dev.imker.sim.config.WeekHours;
import java.time.DayOfWeek;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final ProjectId PROJECT = new ProjectId("ann", "p");

  @Test
  void safe_machine_takes_duration_plus_one_minute_to_ask_per_task() {
    SimRun run = run(config(machines(1, 1, Failures.NEVER, null), 3, 5, false));
    assertThat(run.makespan()).isEqualTo(3 * 6);
    assertThat(run.workedMinutes()).isEqualTo(15);
    assertThat(run.lostMinutes()).isZero();
    assertThat(run.avEff()).isEqualTo(100);
  }

  @Test
  void slow_machine_takes_a_multiple() {
    SimRun run = run(config(machines(1, 3, Failures.NEVER, null), 2, 5, false));
    assertThat(run.makespan()).isEqualTo(2 * 16);
  }

  @Test
  void machine_that_always_fails_completes_only_what_takes_one_minute() {
    Failures always = (minute, uptime) -> 1;
    assertThat(run(config(machines(2, 1, always, null), 4, 1, false)).isFinished()).isTrue();
    SimRun hopeless = run(config(machines(2, 1, always, null), 4, 2, false));
    assertThat(hopeless.isFinished()).isFalse();
    assertThat(hopeless.workedMinutes()).isEqualTo(hopeless.lostMinutes());
  }

  @Test
  void lost_task_comes_back_after_the_configured_minutes() {
    Failures firstMinuteOnly = (minute, uptime) -> minute == 2 ? 1 : 0;
    SimRun run = run(config(machines(1, 1, firstMinuteOnly, null), 1, 5, false));
    // Asked in minute 1, failed in 2, READY again in 22 = 2 + 20, asked then, done five later.
    assertThat(run.makespan()).isEqualTo(27);
    assertThat(run.lostMinutes()).isEqualTo(1);
  }

  @Test
  void machine_that_is_away_does_no_work() {
    WeekHours away = new WeekHours(Set.of(DayOfWeek.MONDAY), 0, 60, 0);
    SimRun run = run(config(machines(1, 1, Failures.NEVER, away), 1, 5, false));
    assertThat(run.makespan()).isEqualTo(60 + 5);
  }

  @Test
  void leaving_loses_the_work_in_hand() {
    WeekHours away = new WeekHours(Set.of(DayOfWeek.MONDAY), 3, 100, 0);
    SimRun run = run(config(machines(1, 1, Failures.NEVER, away), 1, 5, false));
    assertThat(run.makespan()).isEqualTo(100 + 5);
    assertThat(run.lostMinutes()).isEqualTo(1);
  }

  @Test
  void same_seed_gives_the_same_run() {
    SimConfig config = Examples.read("constant-a.xml");
    SimRun once =
        new Simulation(config, Strategies.parse("combined-uptime"), false, 7, 1, true)
            .run(() -> {});
    SimRun again =
        new Simulation(config, Strategies.parse("combined-uptime"), false, 7, 1, true)
            .run(() -> {});
    assertThat(again.workedMinutes()).isEqualTo(once.workedMinutes());
    assertThat(again.lostMinutes()).isEqualTo(once.lostMinutes());
    assertThat(again.avDone()).isEqualTo(once.avDone());
  }

  @Test
  void averages_cover_the_configured_minutes_only() {
    SimRun run = run(config(machines(1, 1, Failures.NEVER, null), 1, 9, false));
    // One task done in minute 10 of 100.
    assertThat(run.avDone()).isEqualTo(91);
  }

  private static Machines machines(
      int count, double slowdown, Failures failures, @Nullable WeekHours away) {
    return new Machines("m", count, 4000, slowdown, failures, away, 0);
  }

  private static SimConfig config(Machines machines, int tasks, double minutes, boolean agesIdle) {
    return new SimConfig(
        "test",
        List.of(machines),
        List.of(new Arrival(0, PROJECT, tasks, new RunTimes.Fixed(minutes))),
        100,
        0,
        20,
        agesIdle,
        false,
        1);
  }

  private static SimRun run(SimConfig config) {
    return new Simulation(config, Strategies.parse("balanced"), false, 1, 300, false).run(() -> {});
  }
}
