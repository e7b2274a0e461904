package dev.imker.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.RecordingOutbox;
import dev.imker.core.SchedulerFixture;
import dev.imker.core.message.NodeTerms.Order;
import dev.imker.core.message.NodeTerms.Restriction;
import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A node is used on the terms that an admin set, whatever the strategy wants. */
class NodeTermsTest extends SchedulerFixture {
  private static final Order ORDER = new Order("root", "repair", 5);

  private void terms(String agent, NodeTerms terms) {
    scheduler.onTerms(new NodeId("node-" + agent), terms, out);
  }

  private static NodeTerms only(List<String> serves, Set<JobKind> kinds, int cores) {
    return NodeTerms.NONE.withRestriction(new Restriction(serves, kinds, cores, ORDER));
  }

  private List<AgentId> assignedTo() {
    dispatch();
    return out.takeAssigned().stream().map(RecordingOutbox.Assigned::agent).toList();
  }

  @Test
  void a_paused_node_is_told_and_gets_nothing_until_it_may_go_on() {
    connect("a", 2);
    terms("a", NodeTerms.NONE.withPaused(ORDER));
    assertThat(out.takePauses()).containsExactly("a: by root: repair");
    submit(header(1, 1));
    assertThat(assignedTo()).isEmpty();
    terms("a", NodeTerms.NONE);
    assertThat(out.takePauses()).containsExactly("a: ");
    assertThat(assignedTo()).hasSize(1);
  }

  @Test
  void a_drained_node_gets_nothing_and_keeps_what_it_has() {
    connect("a", 2);
    submit(header(1, 1));
    assertThat(assignedTo()).hasSize(1);
    terms("a", NodeTerms.NONE.withDraining(ORDER));
    submit(header(2, 1));
    assertThat(assignedTo()).isEmpty();
    assertThat(scheduler.view().agents().getFirst().held()).isOne();
    assertThat(out.takePauses()).isEmpty();
  }

  static Stream<String> strategies() {
    return Strategies.all().stream().map(Strategies.Kind::name);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void every_strategy_gives_a_restricted_node_only_what_it_is_for(String strategy) {
    scheduler = scheduler(SchedulerSettings.defaults(), Strategies.parse(strategy));
    connect("a", 8);
    terms("a", only(List.of("ada/wanted"), Set.of(), 0));
    submit(header(1, "other", 4));
    submit(header(2, "wanted", 2));
    for (int i = 0; i < 5; i++) {
      dispatch();
      scheduler.onTick(now += 100, out);
    }
    assertThat(out.takeAssigned())
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.lease().task().job()).isEqualTo(job(2)));
  }

  @Test
  void a_node_that_is_used_for_one_kind_gets_no_other() {
    connect("a", 2);
    terms("a", only(List.of(), Set.of(JobKind.JAVA), 0));
    submit(header(1, 1));
    StageHeader plain = header(2, 1).stages().getFirst();
    submit(
        of(
            header(2, 1),
            List.of(
                new StageHeader(1, plain.needs(), plain.rules(), List.of(), JobKind.JAVA, "", 0))));
    dispatch();
    assertThat(out.takeAssigned())
        .extracting(one -> one.lease().task().job())
        .containsExactly(job(2));
  }

  @Test
  void at_most_so_many_cores_are_used() {
    connect("a", 4);
    terms("a", only(List.of(), Set.of(), 2));
    submit(header(1, 9));
    assertThat(assignedTo()).hasSize(2);
    assertThat(scheduler.view().agents().getFirst().slots()).isEqualTo(2);
  }

  @Test
  void work_that_needs_more_cores_than_may_be_used_goes_elsewhere() {
    connect("a", 4);
    terms("a", only(List.of(), Set.of(), 2));
    submit(needing(header(1, 1), new Requirements(List.of(needsCores(3)))));
    assertThat(assignedTo()).isEmpty();
    connect("b", 1);
    assertThat(assignedTo()).containsExactly(new AgentId("b"));
  }

  @Test
  void the_owner_and_the_admin_must_both_allow_it() {
    AgentHello lent = agent("a", 4, 1, List.of());
    scheduler.onHello(
        now,
        new AgentHello(
                lent.agent(),
                lent.node(),
                lent.name(),
                lent.version(),
                lent.platform(),
                lent.slots(),
                lent.incarnation(),
                lent.held(),
                new AgentOffer(List.of("ada/mine", "ada/both"), 0))
            .withTerms(only(List.of("ada/both", "ada/theirs"), Set.of(), 0)),
        out);
    submit(header(1, "mine", 1));
    submit(header(2, "theirs", 1));
    submit(header(3, "both", 1));
    dispatch();
    assertThat(out.takeAssigned())
        .extracting(one -> one.lease().task().job())
        .containsExactly(job(3));
  }

  private static Need needsCores(int cores) {
    return new Need(Set.of(), Set.of(), cores, 0, 0, 0, Set.of(), Map.of());
  }
}
