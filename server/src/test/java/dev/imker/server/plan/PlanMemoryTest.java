package dev.imker.server.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.planner.PlannedAction;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.Problem;
import dev.imker.store.PoolStore;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanMemoryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path folder;

  private static final Domain DOMAIN =
      Pddl.domain(
          """
          (define (domain trip) (:predicates (at ?x) (parked ?x) (rested))
            (:action drive :parameters (?from ?to) :precondition (at ?from)
              :effect (and (at ?to) (not (at ?from))))
            (:action park :parameters (?x) :precondition (at ?x) :effect (parked ?x))
            (:action rest :parameters () :precondition (not (rested)) :effect (rested)))
          """);

  private static Problem problem(String start) {
    return Pddl.problem(
        "(define (problem p) (:domain trip) (:objects a b c d) (:init (at %s)) (:goal (rested)))"
            .formatted(start),
        DOMAIN);
  }

  private static List<List<PlannedAction>> plan(String place) {
    return List.of(
        List.of(new PlannedAction("drive", List.of("a", place))),
        List.of(new PlannedAction("park", List.of(place)), new PlannedAction("rest", List.of())));
  }

  private static Optional<List<List<PlannedAction>>> found(PlanMemory memory, String key) {
    return memory.find(key, DOMAIN, problem("a"));
  }

  private static PlanMemory at(PoolStore store, int hours) {
    Clock clock = Clock.fixed(START.plus(Duration.ofHours(hours)), ZoneOffset.UTC);
    return new PlanMemory(store, clock, 2);
  }

  @Test
  void the_longest_unused_plan_goes_when_there_are_too_many() {
    String first = PlanMemory.key(List.of("a", "bc"));
    String second = PlanMemory.key(List.of("ab", "c"));
    String third = PlanMemory.key(List.of("abc"));
    assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
    try (SqliteStore store = SqliteStore.open(folder)) {
      at(store, 0).keep(first, plan("b"));
      at(store, 1).keep(second, plan("c"));
      assertThat(found(at(store, 3), first)).contains(plan("b"));
      at(store, 4).keep(third, plan("d"));
    }
    try (SqliteStore store = SqliteStore.open(folder)) {
      assertThat(found(at(store, 5), first)).contains(plan("b"));
      assertThat(found(at(store, 5), second)).isEmpty();
      assertThat(found(at(store, 5), third)).contains(plan("d"));
    }
  }

  @Test
  void what_is_no_plan_for_the_problem_counts_as_forgotten() {
    String key = PlanMemory.key(List.of("a"));
    try (SqliteStore store = SqliteStore.open(folder)) {
      at(store, 0).keep(key, plan("b"));
      assertThat(at(store, 0).find(key, DOMAIN, problem("c"))).isEmpty();
      assertThat(found(at(store, 0), key)).contains(plan("b"));
      store.putSetting("plan-kept/" + key, "{\"steps\":[[\"(drive a b)\"]],\"usedMillis\":1}");
      assertThat(found(at(store, 0), key)).isEmpty();
    }
  }

  @Test
  void a_plan_that_is_too_long_is_not_kept() {
    String key = PlanMemory.key(List.of("a"));
    try (SqliteStore store = SqliteStore.open(folder)) {
      at(store, 0).keep(key, Collections.nCopies(10_000, plan("b").getFirst()));
      assertThat(found(at(store, 0), key)).isEmpty();
    }
  }
}
