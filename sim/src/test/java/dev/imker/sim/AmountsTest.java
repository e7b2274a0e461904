package dev.imker.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.RunTimes;
import dev.imker.sim.config.SimConfig;
import dev.imker.sim.config.SimFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines have amounts, and tasks take them for as long as they run. */
class AmountsTest {
  @TempDir Path folder;

  /** Tasks take ten minutes each and begin after the first minute, so many at a time. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cores='2' memory='23 GB'               | cores='2' memory='15 GB' | 4 | 41",
        "cores='8' memory='31 GB'               | memory='15 GB'           | 4 | 21",
        "cores='8'                              | cores='0.25'             | 64 | 21",
        "cores='8'                              | cores='3'                | 4 | 21",
        "cores='8'                              | cores='all'              | 3 | 31",
        "cores='8'                              |                          | 16 | 21",
        "cores='8' gpus='2'                     | gpus='0.5'               | 8 | 21",
        "cores='8' gpus='2'                     | gpus='1'                 | 4 | 21",
        "cores='8' resources='fpga=3'           | resources='fpga=1.5'     | 4 | 21",
        "cores='8' resources='camera=[l,r] x=9' | resources='camera=1'     | 4 | 21",
        "cores='8' disk='100 GB'                | disk='60 GB'             | 2 | 21",
      })
  void tasks_share_a_machine_as_far_as_its_amounts_go(
      String machine, String needs, int tasks, int makespan) throws IOException {
    SimRun run = run(pool("", machine, Objects.requireNonNullElse(needs, ""), tasks), "survival");
    assertThat(run.makespan()).isEqualTo(makespan);
    assertThat(run.lostMinutes()).isZero();
  }

  @Test
  void what_exists_once_is_shared_by_all_machines() throws IOException {
    SimConfig config =
        pool("<pool resources='licence=3'/>", "cores='2'", "resources='licence=1'", 9, 3);
    SimRun run = run(config, "balanced");
    assertThat(run.makespan()).isEqualTo(31);
    assertThat(used(run, "licence").whileWaiting()).isEqualTo(100);
    assertThat(used(run, "cores").whileWaiting()).isEqualTo(50);
  }

  @Test
  void use_is_told_while_tasks_wait_and_over_all_minutes() throws IOException {
    SimRun run =
        run(pool("", "cores='4' memory='10 GB'", "cores='2' memory='4 GB'", 3), "balanced");
    // Two tasks for ten minutes while the third waits, then that one; 21 of 100 minutes.
    assertThat(run.makespan()).isEqualTo(21);
    assertThat(used(run, "cores").whileWaiting()).isEqualTo(100);
    assertThat(used(run, "memory").whileWaiting()).isEqualTo(80);
    assertThat(used(run, "cores").mean()).isEqualTo(15);
    assertThat(run.waitedMinutes()).containsExactly(10 / 3.0);
    assertThat(run.workedMinutes()).isEqualTo(60);
  }

  @Test
  void machine_that_fails_loses_all_its_tasks_and_gives_back_what_they_held() {
    SimConfig config = Examples.read("mixed-sizes.xml");
    for (String strategy : List.of("balanced", "survival")) {
      SimRun run =
          new Simulation(config, Strategies.parse(strategy), true, 3, 3000, true).run(() -> {});
      assertThat(run.isFinished()).isTrue();
      assertThat(run.lostMinutes()).isPositive();
      Timeline timeline = Objects.requireNonNull(run.timeline());
      assertThat(timeline.used())
          .containsOnlyKeys("cores", "memory", "gpus", "camera", "solver-licences")
          .allSatisfy(
              (name, percents) -> {
                for (float percent : percents) {
                  assertThat(percent).as(name).isBetween(0f, 100f);
                }
                assertThat(percents[percents.length - 1]).as(name + " at the end").isZero();
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"balanced", "combined-runtime", "survival"})
  void large_tasks_are_not_starved_by_a_stream_of_small_ones(String strategy) throws IOException {
    SimConfig pool = pool("", "cores='8'", "cores='8'", 1);
    List<Arrival> work = new ArrayList<>();
    for (int minute = 0; minute < 1000; minute++) {
      work.add(new Arrival(minute, new ProjectId("sim", "small"), 2, new RunTimes.Uniform(5, 20)));
    }
    Requirements whole = Requirements.of(Need.NOTHING.withCores(8));
    work.add(new Arrival(100, new ProjectId("sim", "large"), 1, new RunTimes.Fixed(10), whole));
    SimConfig config =
        new SimConfig(
            "stream",
            pool.machines(),
            work,
            1000,
            0,
            1,
            true,
            false,
            1,
            SimConfig.MINUTE_MILLIS,
            Map.of());
    SimRun run = run(config, strategy);
    // What runs when it is the first in line ends within 20 minutes, and nothing begins beside it
    // that would end later.
    assertThat(run.waitedMinutes()[1]).isLessThan(60);
    assertThat(used(run, "cores").whileWaiting()).isGreaterThan(90);
  }

  @Test
  void machines_without_amounts_tell_no_use_of_them() {
    SimRun run = run(Examples.read("constant-a.xml"), "balanced");
    assertThat(run.used()).isEmpty();
  }

  private static SimRun.Used used(SimRun run, String resource) {
    return Objects.requireNonNull(run.used().get(resource));
  }

  private SimConfig pool(String further, String machine, String needs, int tasks)
      throws IOException {
    return pool(further, machine, needs, tasks, 1);
  }

  private SimConfig pool(String further, String machine, String needs, int tasks, int machines)
      throws IOException {
    String xml =
        """
        <simConfig>
          %s
          <client cnt='%d' power='4000' fail='0' %s/>
          <step cnt='%d' jobtype='p' jobduration='10' steps='100' %s/>
        </simConfig>
        """
            .formatted(further, machines, machine, tasks, needs);
    return SimFiles.read(Files.writeString(folder.resolve("pool.xml"), xml));
  }

  private static SimRun run(SimConfig config, String strategy) {
    return new Simulation(config, Strategies.parse(strategy), false, 1, 2000, false).run(() -> {});
  }
}
