package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.TaskContext;
import dev.imker.tasks.coordination.Coordination;
import dev.imker.tasks.coordination.Counter;
import dev.imker.tasks.coordination.TaskLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tasks wait for each other, wherever they run; there are more of them than slots. */
abstract class CoordinationContract {
  private static final long PATIENCE_SECONDS = 120;
  private static final int TASKS = 4;

  abstract Imker imker();

  private <T> List<T> all(int tasks, Supplier<RemoteCallable<T>> call) throws Exception {
    try (ImkerExecutor executor = imker().executor(ExecutorOptions.USUAL.withChunk(1))) {
      List<CompletableFuture<T>> futures = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        futures.add(executor.submit(call.get()));
      }
      List<T> results = new ArrayList<>();
      for (CompletableFuture<T> future : futures) {
        results.add(future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      return results;
    }
  }

  @Test
  void a_double_barrier_keeps_tasks_in_step() throws Exception {
    assertThat(all(TASKS, () -> Coordinated.rounds(TASKS, 3))).containsOnly(3);
  }

  @Test
  void a_lock_has_one_holder_at_a_time_and_tokens_that_tell_them_apart() throws Exception {
    assertThat(all(TASKS, () -> Coordinated.locked("comb"))).doesNotHaveDuplicates();
  }

  @Test
  void every_candidate_leads_once_the_others_have_resigned() throws Exception {
    assertThat(all(TASKS, () -> Coordinated.leading("queen")))
        .doesNotHaveDuplicates()
        .noneMatch(leader -> leader.startsWith("not "));
  }

  @Test
  void a_counter_is_changed_only_by_whoever_has_read_it_last() throws Exception {
    assertThat(all(TASKS, () -> Coordinated.counted("cells")))
        .containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
  }

  @Test
  void a_named_value_is_changed_by_one_at_a_time_and_seen_by_all() throws Exception {
    assertThat(all(TASKS, () -> Coordinated.configured(TASKS))).containsOnly("....");
  }

  @Test
  void members_of_a_group_hear_who_comes() throws Exception {
    assertThat(all(TASKS, () -> Coordinated.gathered(TASKS))).containsOnly(TASKS);
  }

  @Test
  void a_program_takes_part_with_its_calls() throws Exception {
    try (ImkerExecutor executor = imker().executor(ExecutorOptions.USUAL.withChunk(1))) {
      assertThat(Coordinated.sumOf(executor, List.of("1", "2"))).isEqualTo(3);
      Coordination here = executor.coordination();
      Counter.Reading before = here.counter("cells").get();
      assertThat(here.counter("cells").set(before, 5)).isTrue();
      assertThat(here.counter("cells").set(before, 6)).isFalse();
      long token = here.lock("comb").acquire();
      TaskLock ofAnother = executor.coordination().lock("comb");
      assertThat(ofAnother.tryAcquire(Duration.ZERO)).isEmpty();
      here.lock("comb").release();
      assertThat(ofAnother.acquire()).isGreaterThan(token);
      CompletableFuture<Long> next = executor.submit(Coordinated.locked("comb"));
      ofAnother.release();
      assertThat(next.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isGreaterThan(token);
    }
  }

  @Test
  void a_program_has_the_blackboard_of_its_calls() throws Exception {
    ExecutorOptions options = ExecutorOptions.USUAL.withProject("meadow");
    try (ImkerExecutor executor = imker().executor(options)) {
      assertThat(executor.blackboard().read("of-the-program")).isEmpty();
      executor.blackboard().write("of-the-program", "lime tree");
      CompletableFuture<String> read =
          executor.submit(() -> TaskContext.current().blackboard().read("of-the-program").get());
      assertThat(read.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("lime tree");
    }
  }

  @Test
  void what_is_in_a_queue_is_given_out_once() throws Exception {
    try (ImkerExecutor executor = imker().executor(ExecutorOptions.USUAL.withChunk(1))) {
      CompletableFuture<Integer> one = executor.submit(Coordinated.consumed());
      CompletableFuture<Integer> other = executor.submit(Coordinated.consumed());
      executor.submit(Coordinated.produced(20, 2)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(
              one.get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                  + other.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo(210);
    }
  }
}
