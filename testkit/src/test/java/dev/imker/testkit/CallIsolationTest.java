package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.tasks.RemoteCallable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Calls share tasks and hosts; what one of them does to itself reaches none of the others. */
@Timeout(300)
class CallIsolationTest {
  private static final long PATIENCE_SECONDS = 120;
  private static final int CALLS = 100;
  private static final int BAD = 37;
  private static final ExecutorOptions BUNDLED = ExecutorOptions.USUAL.withChunk(20);

  @RegisterExtension static final SharedPool POOL = new SharedPool();

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Makes many calls, one of them bad; returns its future when all others have their values. */
  private static Future<Integer> oneBad(ImkerExecutor executor, RemoteCallable<Integer> bad)
      throws Exception {
    List<CompletableFuture<Integer>> futures = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      futures.add(executor.submit(i == BAD ? bad : Calls.product(i, 2)));
    }
    for (int i = 0; i < CALLS; i++) {
      if (i != BAD) {
        assertThat(get(futures.get(i))).isEqualTo(i * 2);
      }
    }
    return futures.get(BAD);
  }

  @Test
  void a_call_that_hangs_fails_at_its_own_limit_and_alone() throws Exception {
    ExecutorOptions limited = BUNDLED.withMaxRuntime(Duration.ofSeconds(1));
    try (ImkerExecutor executor = POOL.imker().executor(limited)) {
      Future<Integer> hung = oneBad(executor, Calls.hanging());
      assertThatThrownBy(() -> get(hung)).hasMessageContaining("limit of 1.0 s");
    }
  }

  @Test
  void a_call_that_takes_long_lets_the_others_of_its_bundle_go_on() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      List<Integer> many =
          IntStream.range(0, 2_000).boxed().toList(); // now it knows they are short
      assertThat(executor.map(many, (Integer n) -> n)).isEqualTo(many);
      Future<Integer> hung = oneBad(executor, Calls.hanging());
      assertThat(hung.isDone()).isFalse();
      hung.cancel(true);
    }
  }

  @Test
  void a_call_that_ends_its_process_costs_no_other_of_its_bundle() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor(BUNDLED)) {
      Future<Integer> murderer = oneBad(executor, Calls.exiting(7));
      assertThatThrownBy(() -> get(murderer)).hasMessageContaining("exit code 7");
    }
  }

  @Test
  void a_call_that_ends_its_process_is_made_as_often_as_its_retries_say(@TempDir Path folder)
      throws Exception {
    for (int retries : List.of(0, 1)) {
      Path made = folder.resolve("made" + retries);
      ExecutorOptions options = ExecutorOptions.USUAL.withRetries(retries);
      try (ImkerExecutor executor = POOL.imker().executor(options)) {
        CompletableFuture<Integer> murderer = executor.submit(Calls.exiting(7, made));
        assertThatThrownBy(() -> get(murderer)).hasMessageContaining("exit code 7");
      }
      assertThat(made).hasBinaryContent(new byte[retries + 1]);
    }
  }

  @Test
  void a_call_without_enough_memory_costs_no_neighbour() throws Exception {
    ExecutorOptions small = ExecutorOptions.USUAL.withChunk(1).withMemoryMegabytes(32);
    try (ImkerExecutor executor = POOL.imker().executor(small)) {
      Future<Integer> hungry = oneBad(executor, Calls.hungry(100_000_000));
      assertThatThrownBy(() -> get(hungry)).hasMessageContaining("memory does not suffice");
    }
  }

  @Test
  void only_calls_that_threw_are_tried_again() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor(BUNDLED.withRetries(1))) {
      List<CompletableFuture<Integer>> attempts = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        attempts.add(executor.submit(i % 2 == 0 ? Calls.secondTime() : Calls.onlyFirstTime()));
      }
      for (int i = 0; i < CALLS; i++) {
        assertThat(get(attempts.get(i))).isEqualTo(i % 2 == 0 ? 2 : 1);
      }
    }
  }

  @Test
  void a_call_that_pauses_before_its_next_try_ends_with_the_executor() throws Exception {
    ExecutorOptions patient = BUNDLED.withRetries(3, Duration.ofHours(1));
    List<CompletableFuture<Integer>> pausing = new ArrayList<>();
    try (ImkerExecutor executor = POOL.imker().executor(patient)) {
      List<CompletableFuture<Integer>> beside = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        pausing.add(executor.submit(Calls.secondTime()));
        beside.add(executor.submit(Calls.onlyFirstTime()));
      }
      for (CompletableFuture<Integer> call : beside) {
        assertThat(get(call)).isEqualTo(1);
      }
      assertThat(get(executor.submit(Calls.onlyFirstTime()))).isEqualTo(1); // heard of the others
      executor.shutdownNow();
      assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(pausing).allMatch(CompletableFuture::isCompletedExceptionally);
  }

  @Test
  void only_after_the_exceptions_that_are_named_calls_are_tried_again() throws Exception {
    try (Imker local = Imker.local(2)) {
      for (Imker imker : List.of(local, POOL.imker())) {
        for (int chunk : List.of(1, 20)) {
          ExecutorOptions options =
              ExecutorOptions.USUAL
                  .withChunk(chunk)
                  .withRetries(3, Duration.ofMillis(10), IllegalStateException.class);
          try (ImkerExecutor executor = imker.executor(options)) {
            CompletableFuture<Integer> wrong = executor.submit(Calls.neverRight());
            CompletableFuture<Integer> second = executor.submit(Calls.secondTime());
            assertThatThrownBy(() -> get(wrong))
                .cause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attempt 1");
            assertThat(get(second)).isEqualTo(2);
          }
        }
      }
    }
  }

  @Test
  void calls_that_wait_for_each_other_never_share_a_task() throws Exception {
    for (ExecutorOptions options : List.of(ExecutorOptions.USUAL, BUNDLED)) {
      try (ImkerExecutor executor = POOL.imker().executor(options)) {
        List<CompletableFuture<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 40; i++) { // more than are sent before the first has ended
          futures.add(executor.submit(Coordinated.rounds(40, 1)));
        }
        for (CompletableFuture<Integer> future : futures) {
          assertThat(get(future)).isEqualTo(1);
        }
      }
    }
  }
}
