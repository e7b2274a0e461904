package dev.imker.server.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.planner.PlannedAction;
import dev.imker.store.PoolStore;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanMemoryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path folder;

  private static List<List<PlannedAction>> plan(String place) {
    return List.of(
        List.of(new PlannedAction("drive", List.of("a", place))),
        List.of(new PlannedAction("park", List.of(place)), new PlannedAction("rest", List.of())));
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
      assertThat(at(store, 3).find(first)).contains(plan("b"));
      at(store, 4).keep(third, plan("d"));
    }
    try (SqliteStore store = SqliteStore.open(folder)) {
      assertThat(at(store, 5).find(first)).contains(plan("b"));
      assertThat(at(store, 5).find(second)).isEmpty();
      assertThat(at(store, 5).find(third)).contains(plan("d"));
    }
  }

  @Test
  void a_plan_that_is_too_long_is_not_kept() {
    String key = PlanMemory.key(List.of("a"));
    try (SqliteStore store = SqliteStore.open(folder)) {
      at(store, 0).keep(key, plan("x".repeat(100_000)));
      assertThat(at(store, 0).find(key)).isEmpty();
    }
  }
}
