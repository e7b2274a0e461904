package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.client.Imker;
import dev.imker.client.executor.Actor;
import dev.imker.client.executor.ImkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What actors promise, with and without a pool. */
abstract class ActorContract {
  private static final long PATIENCE_SECONDS = 60;

  /** Those of one test have names that no other has. */
  private static final AtomicInteger LAST = new AtomicInteger();

  abstract Imker imker();

  static String name() {
    return "tally-" + LAST.incrementAndGet();
  }

  static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  static CompletableFuture<Integer> add(Actor<Tally> tally, String word) {
    return tally.call(t -> t.add(word));
  }

  @Test
  void calls_are_made_in_order_on_one_object() throws Exception {
    try (ImkerExecutor pool = imker().executor()) {
      Actor<Tally> tally = pool.actor(name(), Tally::new);
      List<String> words = new ArrayList<>();
      List<CompletableFuture<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String word = "word" + i % 7;
        words.add(word);
        answers.add(add(tally, word));
      }
      assertThat(get(tally.call(Tally::order))).isEqualTo(words);
      assertThat(get(answers.getLast())).isEqualTo(29);
      assertThat(get(tally.call(Tally::total))).isEqualTo(200);
    }
  }

  @Test
  void another_handle_finds_it_by_its_name() throws Exception {
    String name = name();
    try (ImkerExecutor pool = imker().executor()) {
      get(add(pool.actor(name, Tally::new), "a"));
    }
    try (ImkerExecutor pool = imker().executor()) {
      Actor<Tally> first = pool.actor(name, Tally::new);
      Actor<Tally> second = pool.actor(name, Tally::new);
      assertThat(get(add(first, "a"))).isEqualTo(2);
      assertThat(get(add(second, "a"))).isEqualTo(3);
      assertThat(get(add(first, "a"))).isEqualTo(4);
    }
  }

  @Test
  void a_call_that_throws_changes_nothing() throws Exception {
    try (ImkerExecutor pool = imker().executor()) {
      Actor<Tally> tally = pool.actor(name(), Tally::new);
      CompletableFuture<Integer> before = add(tally, "a");
      CompletableFuture<Integer> failed = tally.call(t -> t.addAndFail("a"));
      CompletableFuture<Integer> after = add(tally, "a");
      assertThat(get(before)).isEqualTo(1);
      assertThatThrownBy(() -> get(failed))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no a");
      assertThat(get(after)).isEqualTo(2);
    }
  }

  @Test
  void what_cannot_be_made_or_kept_is_told() throws Exception {
    try (ImkerExecutor pool = imker().executor()) {
      Object here = new Object();
      Actor<Tally> tally = pool.actor(name(), Tally::new);
      assertThatThrownBy(() -> tally.call(t -> t.add(here.toString())))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("cannot be sent");
      assertThatThrownBy(() -> get(pool.actor(name(), Tally::broken).call(Tally::total)))
          .hasMessageContaining("cannot be made");
      assertThatThrownBy(() -> get(pool.actor(name(), Unkept::new).call(Unkept::next)))
          .hasMessageContaining("Unkept.count")
          .hasMessageContaining("cannot be sent");
      assertThatThrownBy(() -> pool.actor("a b", Tally::new)).hasMessageContaining("'a b'");
    }
  }

  @Test
  void an_executor_that_is_closed_has_made_all_calls() throws Exception {
    CompletableFuture<Integer> last;
    try (ImkerExecutor pool = imker().executor()) {
      Actor<Tally> tally = pool.actor(name(), Tally::new);
      var _ = add(tally, "a");
      last = add(tally, "a");
    }
    assertThat(last).isCompletedWithValue(2);
  }

  /** Has a field that cannot be kept. */
  static class Unkept {
    private final AtomicInteger count = new AtomicInteger();

    int next() {
      return count.incrementAndGet();
    }
  }
}
