package dev.imker.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.planner.Instances.Instance;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.Problem;
import dev.imker.testbase.Trials;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlannerTest {
  private static final PlanLimits LIMITS = PlanLimits.of(Duration.ofSeconds(60));

  private static PlanResult plan(Instance instance) {
    PlanResult result = Planner.plan(instance.domain(), instance.problem(), LIMITS);
    if (result.status() == PlanStatus.SOLVED) {
      assertThat(new PlanValidator(instance.domain(), instance.problem()).findFault(result.steps()))
          .isEmpty();
    }
    return result;
  }

  private static PlanResult plan(String domainText, String problemText) {
    return plan(Instance.of(domainText, problemText));
  }

  @Test
  void two_freights_share_one_plane() {
    PlanResult result =
        plan(
            Instances.CARGO,
            """
            (define (problem two) (:domain cargo)
              (:objects p - plane a b - airport f1 f2 - freight)
              (:init (at p a) (at f1 a) (at f2 a)) (:goal (and (at f1 b) (at f2 b))))
            """);

    assertThat(
            result.steps().stream()
                .map(step -> step.stream().map(Object::toString).sorted().toList()))
        .containsExactly(
            List.of("(load f1 p a)", "(load f2 p a)"),
            List.of("(fly p a b)"),
            List.of("(unload f1 p b)", "(unload f2 p b)"));
    assertThat(result.toJson())
        .matches(
            "\\{\"status\":\"solved\",\"steps\":3,\"actions\":5,\"millis\":\\d+,\"levels\":3,\"plan\":\\[\\[\"\\(load"
                + " f. p a\\)\",\"\\(load f. p a\\)\"\\],\\[\"\\(fly p a b\\)\"\\],\\[\"\\(unload"
                + " f. p b\\)\",\"\\(unload f. p b\\)\"\\]\\]\\}");
  }

  @Test
  void what_is_excluded_is_gone_around_and_named_where_that_is_impossible() {
    Instance two =
        Instance.of(
            Instances.CARGO,
            """
            (define (problem two) (:domain cargo) (:objects p q - plane a b - airport f - freight)
              (:init (at p a) (at q a) (at f a) (in f p)) (:goal (at f b)))
            """);
    PlannedAction flight = new PlannedAction("fly", List.of("p", "a", "b"));
    PlannedAction other = new PlannedAction("fly", List.of("q", "a", "b"));
    PlanResult around = Planner.plan(two.domain(), two.problem(), LIMITS, Set.of(flight), _ -> 0);

    assertThat(around.steps()).anyMatch(step -> step.contains(other));
    assertThat(around.steps()).noneMatch(step -> step.contains(flight));
    assertThat(new PlanValidator(two.domain(), two.problem()).after(List.of(flight)))
        .extracting(Object::toString)
        .containsExactlyInAnyOrder("(at f a)", "(at q a)", "(in f p)", "(at p b)");
    PlanResult none =
        Planner.plan(two.domain(), two.problem(), LIMITS, Set.of(flight, other), _ -> 0);
    assertThat(none.status()).isEqualTo(PlanStatus.UNSOLVABLE);
    assertThat(none.unreachable()).containsExactly("(at f b)");
  }

  @Test
  void the_fact_that_is_missing_is_named_whatever_variables_actions_have() {
    PlanResult none =
        plan(
            """
            (define (domain doors) (:requirements :typing) (:types door tool)
              (:predicates (open ?d) (have ?t - tool) (fits ?a ?b) (key ?t - tool) (lever ?t))
              (:action enter :parameters (?d - door ?x - tool) :precondition (have ?x)
                :effect (open ?d))
              (:action make :parameters (?y ?x - tool) :precondition (and (fits ?x ?y) (key ?x))
                :effect (have ?y))
              (:action pry :parameters (?t - tool) :precondition (lever ?t) :effect (open ?t)))
            """,
            """
            (define (problem p) (:domain doors) (:objects front - door saw file - tool)
              (:init (fits saw file)) (:goal (open front)))
            """);
    assertThat(none.status()).isEqualTo(PlanStatus.UNSOLVABLE);
    assertThat(none.unreachable()).containsExactly("(open front)");
    assertThat(none.missing()).containsExactly("(key ?x)");
  }

  private static final String TOLLS =
      """
      (define (domain tolls) (:requirements :strips :action-costs)
        (:predicates (at ?x) (road ?x ?y))
        (:functions (toll ?x ?y) (total-cost))
        (:action drive :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
          :effect (and (at ?y) (not (at ?x))
            (increase (total-cost) (toll ?x ?y)) (increase (total-cost) 1))))
      """;

  private static final String TOLL_PROBLEM =
      """
      (define (problem p) (:domain tolls) (:objects a b c d)
        (:init (at a) (road a b) (road b d) (road a c) (road c d) (= (total-cost) 0)
          (= (toll a b) 5) (= (toll b d) 2.5) (= (toll a c) 4) (= (toll c d) 3))
        (:goal (at d)) (:metric minimize (total-cost)))
      """;

  @Test
  void of_the_shortest_plans_it_is_the_cheapest() {
    PlanResult result = plan(TOLLS, TOLL_PROBLEM);

    assertThat(result.steps()).hasToString("[[(drive a c)], [(drive c d)]]");
    assertThat(result.toJson()).contains("\"weight\":9,\"lightest\":true");
    String other = TOLL_PROBLEM.replace("(= (toll b d) 2.5)", "(= (toll b d) 0.5)");
    assertThat(plan(TOLLS, other).steps()).hasToString("[[(drive a b)], [(drive b d)]]");
    assertThat(plan(TOLLS, other).weightText()).isEqualTo("7.5");
  }

  @Test
  void without_costs_it_is_the_one_whose_steps_take_the_least_time() {
    Instance instance =
        Instance.of(TOLLS, TOLL_PROBLEM.replace("(:metric minimize (total-cost))", ""));
    for (String slow : List.of("b", "c")) {
      PlanResult result =
          Planner.plan(
              instance.domain(),
              instance.problem(),
              LIMITS,
              Set.of(),
              action -> action.arguments().contains(slow) ? 60 : 1.5);
      assertThat(result.steps().toString()).doesNotContain(slow + ")");
      assertThat(result.weightText()).isEqualTo("3");
    }
  }

  @Trials(300)
  void no_other_plan_of_random_texts_is_cheaper(long seed) {
    Instance instance = RandomTexts.of(seed);
    Random random = new Random(seed);
    Map<PlannedAction, Integer> weights = new HashMap<>();
    ToDoubleFunction<PlannedAction> weight =
        action -> weights.computeIfAbsent(action, _ -> random.nextInt(20));
    PlanResult best = Planner.plan(instance.domain(), instance.problem(), LIMITS, Set.of(), weight);
    assertThat(best.lightest() || best.status() != PlanStatus.SOLVED).isTrue();
    PlanResult any = plan(instance);
    assertThat(best.stepCount()).isEqualTo(any.stepCount());
    double other =
        any.steps().stream()
            .mapToDouble(step -> step.stream().mapToDouble(weight).max().orElse(0))
            .sum();
    assertThat(best.weight()).isLessThanOrEqualTo(other);
    double own =
        best.steps().stream()
            .mapToDouble(step -> step.stream().mapToDouble(weight).max().orElse(0))
            .sum();
    assertThat(best.weight()).isEqualTo(own);
  }

  @ParameterizedTest
  @MethodSource("dev.imker.planner.Instances#tiny")
  void plans_have_the_fewest_steps(Instance instance) {
    checkFewest(instance, new BruteForce(instance.domain(), instance.problem()).fewestSteps());
  }

  private static void checkFewest(Instance instance, OptionalInt fewest) {
    PlanResult result = plan(instance);

    assertThat(result.status())
        .isEqualTo(fewest.isPresent() ? PlanStatus.SOLVED : PlanStatus.UNSOLVABLE);
    assertThat(result.stepCount()).isEqualTo(fewest.orElse(0));
  }

  @Trials(1500)
  void random_texts_are_planned_as_by_trying_everything(long seed) {
    Instance instance = RandomTexts.of(seed);
    OptionalInt fewest;
    try {
      fewest = new BruteForce(instance.domain(), instance.problem()).fewestSteps(100_000);
    } catch (BruteForce.TooMuchException e) {
      return; // a few in a thousand
    }
    checkFewest(instance, fewest);
  }

  @ParameterizedTest
  @CsvSource({"12,23", "30,59"})
  void carrying_many_alike_balls_is_no_harder_than_few(int balls, int steps) {
    assertThat(plan(Instances.hands(balls)).stepCount()).isEqualTo(steps);
  }

  @Test
  void too_few_nests_for_many_birds_is_proved() {
    assertThat(plan(Instances.crowdedNests(9, 8)).status()).isEqualTo(PlanStatus.UNSOLVABLE);
  }

  @Test
  void a_local_impossibility_is_proved_among_countless_states() {
    PlanResult result = plan(Instances.crowdedNestsWithLamps(40));

    assertThat(result.status()).isEqualTo(PlanStatus.UNSOLVABLE);
    assertThat(result.method()).isEqualTo("graph search");
  }

  @Test
  void a_goal_that_holds_already_needs_no_step() {
    PlanResult result =
        plan(
            Instances.DISKS,
            "(define (problem p) (:domain disks) (:objects a b) (:init (on a b)) (:goal (on a"
                + " b)))");

    assertThat(result.status()).isEqualTo(PlanStatus.SOLVED);
    assertThat(result.steps()).isEmpty();
  }

  @Test
  void an_empty_goal_needs_no_step() {
    PlanResult result =
        plan("(define (domain d))", "(define (problem p) (:domain d) (:goal (and)))");

    assertThat(result.status()).isEqualTo(PlanStatus.SOLVED);
  }

  @Test
  void an_atom_both_added_and_deleted_is_added() {
    PlanResult result =
        plan(
            """
            (define (domain d) (:predicates (on) (off))
              (:action press :parameters () :effect (and (on) (not (on)) (not (off)))))
            """,
            "(define (problem p) (:domain d) (:init (off)) (:goal (and (on) (not (off)))))");

    assertThat(result.stepCount()).isEqualTo(1);
  }

  @Test
  void an_action_cannot_share_a_step_with_one_that_needs_the_opposite() {
    PlanResult result =
        plan(
            """
            (define (domain d) (:requirements :negative-preconditions) (:predicates (lit) (slept))
              (:action light :parameters () :effect (lit))
              (:action sleep :parameters () :precondition (not (lit)) :effect (slept)))
            """,
            "(define (problem p) (:domain d) (:init) (:goal (and (lit) (slept))))");

    assertThat(result.steps().stream().flatMap(List::stream).map(Object::toString))
        .containsExactly("(sleep)", "(light)");
  }

  @Test
  void clashing_effects_keep_actions_apart_even_if_nobody_needs_them() {
    PlanResult result =
        plan(
            """
            (define (domain d) (:predicates (noise) (a) (b))
              (:action loud :parameters () :effect (and (a) (noise)))
              (:action quiet :parameters () :effect (and (b) (not (noise)))))
            """,
            "(define (problem p) (:domain d) (:init) (:goal (and (a) (b))))");

    assertThat(result.stepCount()).isEqualTo(2);
  }

  @Test
  void equal_objects_are_no_goal_to_be_reached() {
    String domain = "(define (domain d) (:predicates (p ?x)))";

    assertThat(
            plan(domain, "(define (problem p) (:domain d) (:objects a b) (:goal (= a b)))")
                .status())
        .isEqualTo(PlanStatus.UNSOLVABLE);
    assertThat(
            plan(domain, "(define (problem p) (:domain d) (:objects a b) (:goal (not (= a b))))")
                .status())
        .isEqualTo(PlanStatus.SOLVED);
  }

  @Test
  void a_cancelled_planner_says_timeout() {
    Instance instance = Instances.tiles(3, 3, 5);

    PlanResult result =
        Planner.plan(instance.domain(), instance.problem(), LIMITS.orWhen(() -> true));

    assertThat(result.status()).isEqualTo(PlanStatus.TIMEOUT);
    assertThat(result.toJson()).startsWith("{\"status\":\"timeout\",\"steps\":0,\"actions\":0,");
  }

  @Test
  void no_time_is_a_timeout_whatever_the_size() {
    Instance instance = Instances.cargo(8, 30, 60, 3);

    PlanResult result =
        Planner.plan(instance.domain(), instance.problem(), PlanLimits.of(Duration.ZERO));

    assertThat(result.status()).isEqualTo(PlanStatus.TIMEOUT);
  }

  @Test
  void the_graph_can_be_looked_at() {
    Domain domain = Pddl.domain(Instances.CARGO);
    Problem problem =
        Pddl.problem(
            """
            (define (problem one) (:domain cargo)
              (:objects p - plane a b - airport f - freight)
              (:init (at p a) (at f a)) (:goal (at f b)))
            """,
            domain);

    GraphReport report = Planner.graph(domain, problem, 10, LIMITS);

    assertThat(report.levels()).hasSize(4);
    assertThat(report.goalPossible()).isTrue();
    assertThat(report.levels().get(0).newPropositions())
        .containsExactlyInAnyOrder("(at p a)", "(at f a)");
    assertThat(report.levels().get(1).newActions())
        .containsExactlyInAnyOrder("(load f p a)", "(fly p a b)");
    assertThat(report.levels().get(1).mutexes()).isPositive();
    assertThat(report.levels().get(1).excluding()).contains("(at p a) × (at p b)");
    assertThat(report.toJson()).contains("\"newActions\":[\"(unload f p b)\"]").endsWith("true}");
  }
}
