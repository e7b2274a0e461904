package dev.imker.core.internal.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.SchedulerFixture;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.model.JobId;
import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Users get their share, whatever the strategy. */
class FairShareTest extends SchedulerFixture {
  static List<String> strategies() {
    return Strategies.all().stream().map(Strategies.Kind::name).toList();
  }

  private void submit(long id, String user, String project, int tasks) {
    submit(
        new JobHeader(
            new JobId(id),
            new ProjectId(user, project),
            tasks,
            Requirements.ANY,
            4,
            3,
            60_000,
            false));
  }

  private void dispatchTo(int agents, int slots) {
    for (int i = 0; i < agents; i++) {
      connect("agent" + i, slots);
    }
    dispatch();
    out.takeAssigned();
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void one_machine_is_shared_by_halves(String strategy) {
    scheduler = scheduler(SchedulerSettings.defaults(), Strategies.parse(strategy));
    submit(1, "ann", "many", 1_000);
    submit(2, "bob", "few", 30);
    dispatchTo(1, 20);
    assertThat(scheduler.view().running("bob")).isPositive();
    assertThat(Math.abs(scheduler.view().running("ann") - scheduler.view().running("bob")))
        .isLessThanOrEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void many_projects_bring_no_more_while_nodes_are_fewer(String strategy) {
    scheduler = scheduler(SchedulerSettings.defaults(), Strategies.parse(strategy));
    for (int i = 1; i <= 6; i++) {
      submit(i, "ann", "p" + i, 50);
    }
    submit(7, "bob", "only", 50);
    dispatchTo(2, 6);
    assertThat(Math.abs(scheduler.view().running("ann") - scheduler.view().running("bob")))
        .isLessThanOrEqualTo(1);
  }

  @Test
  void projects_count_while_there_are_nodes_enough() {
    for (int i = 1; i <= 3; i++) {
      submit(i, "ann", "p" + i, 50);
    }
    submit(4, "bob", "only", 50);
    dispatchTo(8, 1);
    assertThat(scheduler.view().running("ann")).isEqualTo(6);
    assertThat(scheduler.view().running("bob")).isEqualTo(2);
  }

  @Test
  void slots_that_others_do_not_want_are_not_left_empty() {
    submit(1, "ann", "many", 100);
    submit(2, "bob", "few", 1);
    dispatchTo(2, 5);
    assertThat(scheduler.view().running("bob")).isEqualTo(1);
    assertThat(scheduler.view().running("ann")).isEqualTo(9);
  }
}
