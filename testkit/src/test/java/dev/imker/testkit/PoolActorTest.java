package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.client.Imker;
import dev.imker.client.executor.Actor;
import dev.imker.client.executor.ImkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PoolActorTest extends ActorContract {
  @RegisterExtension static final SharedPool POOL = new SharedPool();

  @Override
  Imker imker() {
    return POOL.imker();
  }

  @Test
  void programs_that_call_at_the_same_time_lose_nothing() throws Exception {
    String name = name();
    try (Imker other = POOL.pool().connect();
        ImkerExecutor here = POOL.imker().executor();
        ImkerExecutor there = other.executor()) {
      Actor<Tally> first = here.actor(name, Tally::new);
      Actor<Tally> second = there.actor(name, Tally::new);
      List<CompletableFuture<Integer>> answers = new ArrayList<>();
      for (int round = 1; round <= 20; round++) {
        answers.add(add(first, "a"));
        answers.add(add(second, "a"));
        if (round % 5 == 0) {
          get(answers.getLast());
        }
      }
      List<Integer> counts = new ArrayList<>();
      for (CompletableFuture<Integer> answer : answers) {
        counts.add(get(answer));
      }
      assertThat(counts).doesNotHaveDuplicates().hasSize(40).contains(1, 40);
      assertThat(get(first.call(Tally::total))).isEqualTo(40);
    }
  }

  @Test
  void a_call_that_ends_its_process_fails_alone_and_changes_nothing() throws Exception {
    try (ImkerExecutor pool = POOL.imker().executor()) {
      Actor<Tally> tally = pool.actor(name(), Tally::new);
      get(add(tally, "a"));
      CompletableFuture<Integer> before = add(tally, "a");
      CompletableFuture<Integer> deadly = tally.call(t -> t.addAndEndProcess("a"));
      CompletableFuture<Integer> after = add(tally, "a");
      assertThat(get(before)).isEqualTo(2);
      assertThatThrownBy(() -> get(deadly)).hasMessageContaining("exit code 3");
      assertThat(get(after)).isEqualTo(3);
    }
  }
}
