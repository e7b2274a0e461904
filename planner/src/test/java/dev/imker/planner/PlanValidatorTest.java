package dev.imker.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.planner.Instances.Instance;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanValidatorTest {
  private static final Instance LAMP =
      Instance.of(
          """
          (define (domain lamp) (:requirements :typing :negative-preconditions)
            (:types lamp person)
            (:predicates (lit ?l - lamp) (asleep ?p - person) (read ?p - person))
            (:action on :parameters (?l - lamp) :precondition (not (lit ?l)) :effect (lit ?l))
            (:action off :parameters (?l - lamp) :precondition (lit ?l) :effect (not (lit ?l)))
            (:action read :parameters (?p - person ?l - lamp)
              :precondition (lit ?l) :effect (read ?p))
            (:action sleep :parameters (?p - person ?l - lamp)
              :precondition (not (lit ?l)) :effect (asleep ?p)))
          """,
          """
          (define (problem p) (:domain lamp) (:objects a b - lamp ada bob - person)
            (:init (lit b)) (:goal (and (read ada) (asleep bob))))
          """);

  /** Steps are separated by '/', actions by ','. */
  private static List<List<PlannedAction>> steps(String text) {
    return List.of(text.split("/")).stream()
        .map(step -> List.of(step.split(",")).stream().map(PlanValidatorTest::action).toList())
        .toList();
  }

  private static PlannedAction action(String text) {
    List<String> words = List.of(text.strip().split(" "));
    return new PlannedAction(words.getFirst(), words.subList(1, words.size()));
  }

  @Test
  void a_good_plan_has_no_fault() {
    assertThat(
            new PlanValidator(LAMP.domain(), LAMP.problem())
                .findFault(steps("read ada b, sleep bob a")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "read ada a | step 1: (read ada a) requires (lit a), which does not hold",
        "read ada b, off b | step 1: (off b) deletes (lit b), which (read ada b) needs or adds",
        "on a, sleep bob a | step 1: (on a) adds (lit a), which (sleep bob a) requires to be false",
        "read ada b / dance bob | step 2: no action is named dance",
        "read ada | step 1: (read ada) has the wrong number of arguments",
        "read b ada | step 1: (read b ada): b is not of type [person]",
        "read ada b | the goal (asleep bob) does not hold at the end",
      })
  void faults_are_named(String plan, String fault) {
    assertThat(new PlanValidator(LAMP.domain(), LAMP.problem()).findFault(steps(plan)))
        .hasValue(fault);
  }
}
