package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.change.AttemptReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What tells the classic policies apart. */
class ClassicPoliciesTest extends SchedulerFixture {
  private void use(String strategy) {
    scheduler = scheduler(SchedulerSettings.defaults(), Strategies.parse(strategy));
  }

  private List<String> agentsOfAssigned() {
    dispatch();
    return out.takeAssigned().stream().map(assigned -> assigned.agent().value()).toList();
  }

  @Test
  void central_manager_gives_each_task_to_the_agent_with_the_fewest() {
    use("central-manager");
    connect("b", 4);
    submit(header(1, 1));
    assertThat(agentsOfAssigned()).containsExactly("b");
    connect("c", 4);
    submit(header(2, 2));
    assertThat(agentsOfAssigned()).containsExactly("c", "b");
    connect("a", 4);
    submit(header(3, 6));
    assertThat(agentsOfAssigned()).containsExactly("a", "c", "a", "b", "c", "a");
  }

  @Test
  void central_queue_serves_requests_in_their_order() {
    use("central-queue");
    connect("a", 2);
    connect("b", 2);
    submit(header(2, 3));
    assertThat(agentsOfAssigned()).containsExactly("a", "a", "b");
  }

  @Test
  void local_queue_has_tasks_wait_at_agents_and_an_idle_one_gets_them_at_once() {
    use("local-queue:queue=2");
    connect("a", 1);
    submit(header(1, 3));
    dispatch();
    assertThat(out.takeAssigned()).hasSize(3);
    assertThat(out.takeRecalled()).isEmpty();
    connect("b", 1);
    dispatch();
    List<Lease> recalled = out.takeRecalled();
    assertThat(recalled).extracting(lease -> lease.task().index()).containsExactly(2);
    dispatch();
    assertThat(out.takeRecalled()).as("one is on its way").isEmpty();
    giveBack("a", recalled.getFirst());
    assertThat(out.takeAssignedTo("b").lease().task()).isEqualTo(recalled.getFirst().task());
    out.takeAll();
  }

  @Test
  void what_an_agent_has_begun_is_not_waited_for() {
    use("local-queue:queue=2");
    connect("a", 1);
    submit(header(1, 3));
    dispatch();
    connect("b", 1);
    dispatch();
    assertThat(out.takeRecalled()).hasSize(1);
    now += 6_000;
    dispatch();
    assertThat(out.takeRecalled()).extracting(lease -> lease.task().index()).containsExactly(1);
    out.takeAll();
  }

  @Test
  void short_tasks_that_wait_behind_a_long_one_are_wanted_back_after_a_second() {
    connect("a", 1);
    submit(header(1, 50));
    finish("a", leaseFor("a"), AttemptOutcome.SUCCEEDED, 10);
    dispatch();
    int ahead = out.takeAssigned().size() - 1;
    assertThat(ahead).isPositive();
    assertThat(out.takeRecalled()).isEmpty();
    now += 1_500;
    dispatch();
    assertThat(out.takeRecalled()).hasSize(ahead);
    out.takeAll();
  }

  private void giveBack(String agent, Lease lease) {
    AttemptReport unstarted = AttemptReport.withoutRun(AttemptOutcome.GIVEN_BACK, now, "");
    scheduler.onFinished(now, id(agent), lease, unstarted, out);
    dispatch();
  }
}
