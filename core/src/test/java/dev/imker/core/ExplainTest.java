package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.matching.UnmetNeeds;
import dev.imker.core.message.DecisionView;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.TaskId;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the scheduler tells of tasks that wait, and of those that were handed out. */
class ExplainTest extends SchedulerFixture {
  private static final Platform LINUX =
      new Platform(
          "linux", "6", "x86_64", "h", 4, 0, 8L << 30, 1L << 40, 0, Map.of("r", "4.1"), Set.of());

  private static Requirements needs(Need... needs) {
    return new Requirements(List.of(needs));
  }

  @Test
  void every_need_that_is_not_met_is_named_with_what_there_is() {
    Need need =
        new Need(
            Set.of("windows"),
            Set.of("aarch64"),
            8,
            1,
            16L << 30,
            2L << 40,
            Set.of("licence"),
            Map.of("r", ">=4.2"));
    assertThat(UnmetNeeds.of(needs(need), LINUX))
        .containsExactly(
            "needs os windows, has linux, needs architecture aarch64, has x86_64, needs 8 cores,"
                + " has 4, needs 1 GPUs, has 0, needs 16.0 GB of memory, has 8.0 GB, needs 2048.0"
                + " GB of disk, has 1024.0 GB, needs the label licence, needs r >=4.2, has 4.1");
  }

  @Test
  void a_node_that_fits_lacks_nothing() {
    Need linux = new Need(Set.of("Linux"), Set.of(), 4, 0, 0, 0, Set.of(), Map.of("r", ""));
    Need windows = new Need(Set.of("windows"), Set.of(), 0, 0, 0, 0, Set.of(), Map.of());
    assertThat(UnmetNeeds.of(Requirements.ANY, LINUX)).isEmpty();
    assertThat(UnmetNeeds.of(needs(windows, linux), LINUX)).isEmpty();
    assertThat(UnmetNeeds.of(needs(windows, windows), LINUX)).hasSize(2);
  }

  @Test
  void a_decision_is_kept_with_its_figures_for_a_day() {
    submit(header(1, "p", 2));
    submit(header(2, "q", 1));
    connect("a", 1);
    Lease lease = leaseFor("a");
    finishes("a", lease, AttemptOutcome.SUCCEEDED);
    long then = now;
    DecisionView decision = scheduler.view().decisions(lease.task(), then).getFirst();
    assertThat(decision.why()).isEqualTo("balanced chose its project");
    assertThat(decision.agent()).isEqualTo(id("a"));
    assertThat(decision.attempt()).isEqualTo(1);
    assertThat(decision.candidates()).isEqualTo(2);
    assertThat(decision.considered())
        .extracting(DecisionView.Considered::figures)
        .allMatch(figures -> figures.startsWith("0.000 cores working on it, "));
    long day = 24 * 60 * 60 * 1000L;
    assertThat(scheduler.view().decisions(lease.task(), then + day - 1)).hasSize(1);
    assertThat(scheduler.view().decisions(lease.task(), then + day)).isEmpty();
  }

  @Test
  void of_a_flood_of_decisions_one_of_some_seconds_is_kept_for_the_job() {
    submit(header(1, 20_000));
    connect("a", 1);
    long first = now;
    for (int i = 0; i < 20_000; i++) {
      finishes("a", leaseFor("a"), AttemptOutcome.SUCCEEDED);
      now += 10;
    }
    assertThat(scheduler.view().decisions(TaskId.of(1, 19_999), now)).hasSize(1);
    assertThat(scheduler.view().decisions(TaskId.of(1, 150), now)).isEmpty();
    DecisionView near = scheduler.view().decisionNear(job(1), new NodeId("node-a"), first, now);
    assertThat(near).isNotNull().extracting(DecisionView::atMillis).isEqualTo(first);
  }
}
