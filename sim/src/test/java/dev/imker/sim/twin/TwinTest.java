package dev.imker.sim.twin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.Granted;
import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;
import dev.imker.sim.config.Absence;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.SimConfig;
import dev.imker.sim.config.SimException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TwinTest {
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;

  /** A Monday, midnight. */
  private static final long START = 4 * 24 * HOUR;

  private static final ProjectId BRIEF = new ProjectId("ann", "brief");
  private static final ProjectId LENGTHY = new ProjectId("bob", "lengthy");

  /** Two steady machines, and some that are there for forty minutes of every hour. */
  private static PoolHistory history(String strategy) {
    List<PoolHistory.Node> nodes = new ArrayList<>();
    long end = START + 48 * HOUR;
    for (int i = 0; i < 2; i++) {
      nodes.add(
          new PoolHistory.Node(
              "steady" + i, 4000, 1, Map.of(), List.of(new PoolHistory.Span(START - HOUR, end))));
    }
    for (int i = 0; i < 8; i++) {
      List<PoolHistory.Span> up = new ArrayList<>();
      for (int hour = 0; hour < 48; hour++) {
        long from = START + hour * HOUR + 5L * i * MINUTE;
        up.add(new PoolHistory.Span(from, from + 40 * MINUTE));
      }
      nodes.add(new PoolHistory.Node("restless" + i, 4000, 1, Map.of(), up));
    }
    return new PoolHistory(
        "test",
        strategy,
        START - HOUR,
        end,
        30_000,
        Map.of(),
        nodes,
        List.of(job(BRIEF, 10), job(LENGTHY, 100)));
  }

  private static PoolHistory.Job job(ProjectId project, int minutes) {
    List<PoolHistory.Run> runs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      runs.add(new PoolHistory.Run(0, minutes * MINUTE, Granted.ONE_CORE));
    }
    int tasks = project.equals(BRIEF) ? 600 : 60;
    return new PoolHistory.Job(project, START, START + 47 * HOUR, tasks, runs);
  }

  private static String run(PoolHistory history, boolean json, String... strategies) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TwinCommandLine.run(
        history,
        new TwinCommandLine.Request(List.of(strategies), 3, 0, false, null),
        json,
        new PrintStream(out, true, UTF_8));
    return out.toString(UTF_8);
  }

  @Test
  void machines_come_and_go_as_recorded() {
    SimConfig config = Twin.of(history("balanced"));
    assertThat(config.nodes()).isEqualTo(10);
    assertThat(config.tasks()).isEqualTo(660);
    assertThat(config.startMinute()).isZero();
    int perHour = (int) (HOUR / config.stepMillis());
    assertThat(config.machines().getFirst().away()).isNull();
    Absence away = Objects.requireNonNull(config.machines().get(2).away());
    assertThat(away.contains(5 * perHour + perHour / 2)).isFalse();
    assertThat(away.contains(5 * perHour + 5 * perHour / 6)).isTrue();
    // After the record ends it begins anew.
    assertThat(away.contains((48 + 5) * perHour + perHour / 2)).isFalse();
    assertThat(away.contains((48 + 5) * perHour + 5 * perHour / 6)).isTrue();
  }

  @Test
  void recommends_what_keeps_long_work_off_machines_that_cannot_finish_it() {
    String text = run(history("balanced"), false, "survival");
    assertThat(text)
        .contains("test: 10 nodes, 660 tasks")
        .contains("survival would have finished")
        .contains("earlier than balanced")
        .contains("Recommended: imker strategy set survival");
  }

  @Test
  void best_strategy_is_left_alone() {
    assertThat(run(history("survival"), false, "balanced")).contains("Nothing to change.");
  }

  @Test
  void json_is_one_array_with_the_strategy_in_use_first() {
    assertThat(run(history("balanced"), true, "random"))
        .startsWith("[\n{\"config\":\"test\",\"strategy\":\"balanced\",\"seeds\":3,\"avEff\":{")
        .contains("\"strategy\":\"random\"")
        .endsWith("]" + System.lineSeparator());
  }

  @Test
  void tasks_of_seconds_are_simulated_in_fractions_of_a_second() {
    List<PoolHistory.Run> runs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      runs.add(new PoolHistory.Run(0, 2000, Granted.ONE_CORE));
    }
    PoolHistory history =
        new PoolHistory(
            "quick",
            "balanced",
            START,
            START + MINUTE,
            30_000,
            Map.of(),
            List.of(
                new PoolHistory.Node(
                    "n", 0, 2, Map.of(), List.of(new PoolHistory.Span(START, START + MINUTE)))),
            List.of(new PoolHistory.Job(BRIEF, START, START + 20_000, 20, runs)));
    SimConfig config = Twin.of(history);
    assertThat(config.stepMillis()).isEqualTo(100);
    assertThat(config.nodes()).isEqualTo(2);
    assertThat(run(history, false, "random")).contains("quick: 2 nodes, 20 tasks");
  }

  @Test
  void tasks_take_what_they_were_given_then() {
    List<PoolHistory.Run> runs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      runs.add(new PoolHistory.Run(0, 10 * MINUTE, Granted.parse("0 cores=200 memory=1000")));
      runs.add(new PoolHistory.Run(0, 5 * MINUTE, Granted.parse("0 cores=50 gpus=50@1 seat=100")));
    }
    runs.add(new PoolHistory.Run(0, MINUTE, Granted.parse("0 cores=6400")));
    PoolHistory history =
        new PoolHistory(
            "sized",
            "balanced",
            START,
            START + HOUR,
            30_000,
            Map.of("seat", 3.0),
            List.of(
                new PoolHistory.Node(
                    "n",
                    4000,
                    8,
                    Map.of("cores", 800L, "memory", 4000L, "gpus", 200L, "fpga", 150L),
                    List.of(new PoolHistory.Span(START, START + HOUR)))),
            List.of(new PoolHistory.Job(BRIEF, START, START + HOUR, 82, runs)));
    SimConfig config = Twin.of(history);
    assertThat(config.nodes()).isOne();
    assertThat(config.machines().getFirst().platform().amounts())
        .isEqualTo(history.nodes().getFirst().amounts());
    assertThat(config.resources()).isEqualTo(history.resources());
    // What no machine could run any more is left out.
    assertThat(config.arrivals()).extracting(Arrival::count).containsExactly(40, 40);
    Requirements.Need need = config.arrivals().getLast().needs().alternatives().getFirst();
    assertThat(need)
        .isEqualTo(Requirements.Need.NOTHING.withCores(0.5).withGpus(0.5).withResource("seat", 1));
    assertThat(run(history, false, "random"))
        .contains("sized: 1 nodes, 80 tasks")
        .contains("seat", "gpus", "minutes until tasks start");
  }

  @Test
  void too_little_is_refused_with_what_is_missing() {
    PoolHistory some = history("balanced");
    PoolHistory noRuns =
        new PoolHistory(
            "p", "balanced", 0, some.toMillis(), 30_000, Map.of(), some.nodes(), List.of());
    assertThatThrownBy(() -> Twin.of(noRuns))
        .isInstanceOf(SimException.class)
        .hasMessageContaining("run times of 0 tasks");
    PoolHistory noNodes =
        new PoolHistory(
            "p", "balanced", 0, some.toMillis(), 30_000, Map.of(), List.of(), some.jobs());
    assertThatThrownBy(() -> Twin.of(noNodes))
        .isInstanceOf(SimException.class)
        .hasMessageContaining("not recorded any machine");
  }
}
