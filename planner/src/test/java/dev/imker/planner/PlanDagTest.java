package dev.imker.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.planner.Instances.Instance;
import dev.imker.testbase.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlanDagTest {
  private static final PlanLimits LIMITS = PlanLimits.of(Duration.ofSeconds(60));
  private static final Instance TWO_FREIGHTS =
      Instance.of(
          Instances.CARGO,
          """
          (define (problem two) (:domain cargo)
            (:objects p q - plane a b - airport f g - freight)
            (:init (at p a) (at q b) (at f a) (at g b)) (:goal (and (at f b) (at g a))))
          """);

  private static PlanDag dag(Instance instance) {
    PlanResult result = Planner.plan(instance.domain(), instance.problem(), LIMITS);
    return PlanDag.of(instance.domain(), instance.problem(), result.steps());
  }

  @Test
  void independent_deliveries_do_not_wait_for_each_other() {
    PlanDag dag = dag(TWO_FREIGHTS);

    for (PlanDag.Edge edge : dag.edges()) {
      assertThat(dag.actions().get(edge.from()).arguments().contains("p"))
          .isEqualTo(dag.actions().get(edge.to()).arguments().contains("p"));
    }
    assertThat(dag.toDot()).startsWith("digraph plan {").contains("[label=\"(load f p a)\"]");
    assertThat(dag.toJson()).contains("\"reason\":\"produces\",\"literal\":\"(in f p)\"");
  }

  @Test
  void a_flight_waits_for_loading_though_it_needs_nothing_of_it() {
    PlanDag dag = dag(TWO_FREIGHTS);

    assertThat(dag.edges())
        .anySatisfy(
            edge -> {
              assertThat(dag.actions().get(edge.from())).hasToString("(load f p a)");
              assertThat(dag.actions().get(edge.to())).hasToString("(fly p a b)");
              assertThat(edge.reason()).isEqualTo(PlanDag.Reason.PRECEDES);
            });
  }

  @Test
  void an_invalid_plan_is_refused() {
    List<List<PlannedAction>> steps =
        List.of(List.of(new PlannedAction("unload", List.of("f", "p", "b"))));

    assertThatThrownBy(() -> PlanDag.of(TWO_FREIGHTS.domain(), TWO_FREIGHTS.problem(), steps))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("requires (");
  }

  @Trials(1500)
  void every_order_that_respects_the_edges_reaches_the_goal(long seed) {
    Instance instance = RandomProblems.of(seed);
    PlanResult result = Planner.plan(instance.domain(), instance.problem(), LIMITS);
    if (result.status() == PlanStatus.SOLVED) {
      PlanDag dag = PlanDag.of(instance.domain(), instance.problem(), result.steps());
      for (int i = 0; i < 5; i++) {
        assertThat(
                new PlanValidator(instance.domain(), instance.problem())
                    .findFault(anyOrder(dag, new Random(seed + i))))
            .isEmpty();
      }
    }
  }

  private static List<List<PlannedAction>> anyOrder(PlanDag dag, Random random) {
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < dag.actions().size(); i++) {
      open.add(i);
    }
    List<List<Integer>> predecessors = dag.predecessors();
    List<List<PlannedAction>> order = new ArrayList<>();
    while (!open.isEmpty()) {
      List<Integer> ready =
          open.stream()
              .filter(i -> predecessors.get(i).stream().noneMatch(open::contains))
              .toList();
      Integer next = ready.get(random.nextInt(ready.size()));
      open.removeIf(next::equals);
      order.add(List.of(dag.actions().get(next)));
    }
    return order;
  }
}
