package dev.imker.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.planner.Instances.Instance;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.Problem;
import dev.imker.testbase.Trials;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
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
            "\\{\"status\":\"solved\",\"steps\":3,\"actions\":5,\"millis\":\\d+,\"levels\":3,"
                + "\"plan\":\\[\\[\"\\(load f. p a\\)\",\"\\(load f. p a\\)\"\\],"
                + "\\[\"\\(fly p a b\\)\"\\],\\[\"\\(unload f. p b\\)\",\"\\(unload f. p b\\)\"\\]\\]\\}");
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
            "(define (problem p) (:domain disks) (:objects a b) (:init (on a b)) (:goal (on a b)))");

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
