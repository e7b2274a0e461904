package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.client.executor.RemoteFailureException;
import dev.imker.tasks.TaskContext;
import dev.imker.tasks.values.Shared;
import dev.imker.testbase.Attack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An executor over a real pool. */
class ExecutorTest {
  private static final long PATIENCE_SECONDS = 60;

  @RegisterExtension static final SharedPool POOL = new SharedPool();

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void a_call_is_made_in_another_process_and_its_result_comes_back() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      assertThat(get(executor.submit(Calls.product(6, 7)))).isEqualTo(42);
      assertThat(get(executor.submit(Calls.processId())))
          .isNotEqualTo(ProcessHandle.current().pid());
    }
  }

  @Test
  void records_are_calls_and_values() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      Callable<Integer> sum = new Calls.Sum(List.of(1, 2, 3));
      assertThat(get(executor.submit(sum))).isEqualTo(6);
      assertThat(get(executor.apply(Calls::mirrored, new Calls.Point(1, 2))))
          .isEqualTo(new Calls.Point(2, 1));
    }
  }

  @Test
  void it_is_an_executor_service() throws Exception {
    ExecutorService executor = POOL.imker().executor();
    List<Callable<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      calls.add(Calls.product(i, 2));
    }
    int sum = 0;
    for (Future<Integer> future : executor.invokeAll(calls)) {
      sum += get(future);
    }
    assertThat(sum).isEqualTo(199 * 200);
    List<Callable<String>> one = List.of(Calls.failing("first"), Calls.failing("second"));
    assertThatThrownBy(() -> executor.invokeAny(one)).isInstanceOf(ExecutionException.class);
    assertThat(executor.invokeAny(List.of(Calls.product(3, 3)))).isEqualTo(9);
    executor.shutdown();
    assertThat(executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(executor.isTerminated()).isTrue();
    assertThatThrownBy(() -> executor.submit(new Calls.Sum(List.of())))
        .isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void lambdas_are_handed_over_as_they_are() throws Exception {
    try (Imker local = Imker.local(2)) {
      for (Imker imker : List.of(local, POOL.imker())) {
        try (ImkerExecutor executor = imker.executor()) {
          assertThat(executor.invokeAll(List.of(() -> 1, () -> 2)).stream().map(Future::resultNow))
              .containsExactly(1, 2);
          int third = executor.invokeAny(List.of(() -> 3, () -> 3));
          int fourth = executor.invokeAny(List.of(() -> 4), 1, TimeUnit.MINUTES);
          List<Future<Integer>> last = executor.invokeAll(List.of(() -> 5), 1, TimeUnit.MINUTES);
          assertThat(List.of(third, fourth, last.getFirst().resultNow())).containsExactly(3, 4, 5);
          assertThat(get(executor.submit(() -> {}, "done"))).isEqualTo("done");
          assertThat(executor.call(() -> 4)).isEqualTo(4);
          assertThatThrownBy(() -> executor.call(Calls.failing("no honey")))
              .isInstanceOf(IllegalStateException.class)
              .hasMessage("no honey");
        }
      }
    }
  }

  @Test
  void a_value_is_shared_by_calls_and_what_they_spawn() throws Exception {
    List<Calls.Point> points = List.of(new Calls.Point(1, 2), new Calls.Point(3, 4));
    try (Imker local = Imker.local(2)) {
      for (Imker imker : List.of(local, POOL.imker())) {
        try (ImkerExecutor executor = imker.executor()) {
          Shared<List<Calls.Point>> shared = executor.share(points);
          assertThat(executor.map(List.of(0, 1), (Integer i) -> shared.get().get(i)))
              .isEqualTo(points);
          assertThat(
                  executor.call(
                      () -> TaskContext.current().spawn(() -> shared.get().size()).join()))
              .isEqualTo(2);
          assertThatThrownBy(() -> executor.share(new Object()))
              .isInstanceOf(RejectedExecutionException.class)
              .hasMessageContaining("The shared value cannot be sent");
        }
      }
    }
  }

  @Test
  void a_call_has_needs_and_retries_of_its_own() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      ExecutorOptions own = ExecutorOptions.USUAL.withCores(2).withRetries(1).withName("own");
      assertThat(
              get(
                  executor.submitWith(
                      own, () -> TaskContext.current().granted().get("IMKER_CORES"))))
          .isEqualTo("2");
      assertThat(get(executor.submitWith(own, Calls.secondTime()))).isEqualTo(2);
      ExecutorOptions elsewhere = ExecutorOptions.USUAL.withNode("no-such-machine");
      CompletableFuture<Integer> never = executor.submitWith(elsewhere, () -> 1);
      assertThat(get(executor.submit(() -> 1))).isEqualTo(1);
      assertThat(never).isNotDone();
      never.cancel(true);
    }
  }

  @Test
  void a_call_that_throws_fails_its_future_with_the_same_exception() {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      CompletableFuture<String> future = executor.submit(Calls.failing("no honey"));
      assertThatThrownBy(() -> get(future))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no honey")
          .satisfies(
              failure ->
                  assertThat(failure.getStackTrace()[0].getFileName()).isEqualTo("Calls.java"))
          .cause()
          .isInstanceOf(Calls.Empty.class)
          .hasMessage("the cells");
      CompletableFuture<String> strange = executor.submit(Calls.failingStrangely());
      assertThatThrownBy(() -> get(strange))
          .cause()
          .isInstanceOfSatisfying(
              RemoteFailureException.class,
              failure -> {
                assertThat(failure.remoteType()).isEqualTo(Calls.Strange.class.getName());
                assertThat(failure.remoteTrace()).contains("Calls.java");
              })
          .hasMessageContaining("code 7");
    }
  }

  @Test
  void a_completion_service_hands_out_results_as_they_come() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      var service = new ExecutorCompletionService<Integer>(executor);
      service.submit(Calls.product(2, 3));
      service.submit(Calls.runnable(), 7);
      Set<Integer> results = new HashSet<>();
      for (int i = 0; i < 2; i++) {
        var done = service.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        results.add(Objects.requireNonNull(done).get());
      }
      assertThat(results).containsExactlyInAnyOrder(6, 7);
      assertThat(get(executor.submit(Calls.runnable(), "done"))).isEqualTo("done");
    }
  }

  @Test
  void what_java_hides_from_the_pool_is_refused_with_the_way_that_works() {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      assertThatThrownBy(() -> CompletableFuture.supplyAsync(() -> 1, executor))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("Use submit(…)");
    }
  }

  @Test
  void a_call_that_throws_is_tried_again_if_wanted() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor(ExecutorOptions.USUAL.withRetries(2))) {
      assertThat(get(executor.submit(Calls.secondTime()))).isEqualTo(2);
    }
  }

  @Test
  void what_cannot_be_sent_is_refused_at_once_with_the_reason() {
    Object lock = new Object();
    try (ImkerExecutor executor = POOL.imker().executor()) {
      assertThatThrownBy(() -> executor.submit(() -> lock.hashCode()))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("captured[0]")
          .hasMessageContaining("java.lang.Object");
      Callable<Integer> plain = () -> 1;
      assertThatThrownBy(() -> executor.submit(plain))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("not serialisable");
    }
  }

  @Test
  void large_results_come_as_blobs() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      byte[] content = get(executor.submit(Calls.large(3_000_000)));
      assertThat(content).hasSize(3_000_000);
      assertThat(content[2_999_999]).isEqualTo((byte) 7);
    }
  }

  @Test
  void large_arguments_and_large_functions_travel() throws Exception {
    byte[] cells = new byte[2_000_000];
    cells[1_999_999] = 7;
    try (ImkerExecutor executor = POOL.imker().executor()) {
      assertThat(get(executor.apply(Large::length, cells))).isEqualTo(2_000_000);
      assertThat(executor.map(List.of(0, 1_999_999), Large.picking(cells))).containsExactly(0, 7);
    }
  }

  @Test
  void a_host_that_is_brought_down_costs_only_what_ran_in_it() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      CompletableFuture<Integer> murderer = executor.submit(Calls.exiting(7));
      assertThatThrownBy(() -> get(murderer)).hasMessageContaining("exit code 7");
      assertThat(get(executor.submit(Calls.product(2, 2)))).isEqualTo(4);
    }
  }

  @Test
  @Attack("read a file of the agent through a link in place of a Java host's output")
  void a_host_shows_nothing_but_what_it_has_written(@TempDir Path elsewhere) throws Exception {
    Path secret = Files.writeString(elsewhere.resolve("admin-token"), "secret-4711\n");
    try (ImkerExecutor executor = POOL.imker().executor()) {
      CompletableFuture<Integer> thief = executor.submit(Calls.linking(secret.toString()));
      assertThatThrownBy(() -> get(thief))
          .hasMessageContaining("exit code 1")
          .hasMessageNotContaining("secret-4711");
    }
  }

  @Test
  void a_call_without_enough_memory_is_told_so() throws Exception {
    ExecutorOptions small = ExecutorOptions.USUAL.withMemoryMegabytes(32);
    try (ImkerExecutor executor = POOL.imker().executor(small)) {
      assertThatThrownBy(() -> get(executor.submit(Calls.large(100_000_000))))
          .hasMessageContaining("memory does not suffice");
    }
  }

  /** With files in it, or empty. */
  @Test
  void calls_of_a_task_do_not_see_each_others_folders(@TempDir Path elsewhere) throws Exception {
    Path file = Files.writeString(elsewhere.resolve("in.txt"), "in");
    ExecutorOptions together = ExecutorOptions.USUAL.withChunk(8);
    for (ExecutorOptions options : List.of(together, together.withFiles(Map.of("in.txt", file)))) {
      try (ImkerExecutor executor = POOL.imker().executor(options)) {
        List<Integer> seen =
            executor.map(Collections.nCopies(8, options.files().size()), Calls::countFiles);
        assertThat(seen).containsOnly(options.files().size());
      }
    }
  }

  @Test
  void folders_go_along_with_calls_and_programs_in_them_can_be_run(@TempDir Path elsewhere)
      throws Exception {
    Path script = elsewhere.resolve("model/bin/run");
    Files.createDirectories(script.getParent());
    Files.writeString(script, "x");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Files.writeString(elsewhere.resolve("model/weights"), "x");
    Map<String, Path> files =
        Map.of("in", elsewhere.resolve("model"), ".", elsewhere.resolve("model/bin"));
    try (Imker local = Imker.local(1)) {
      for (Imker imker : List.of(local, POOL.imker())) {
        try (ImkerExecutor executor = imker.executor(ExecutorOptions.USUAL.withFiles(files))) {
          assertThat(get(executor.submit(Calls::tree)))
              .containsExactly("in/bin/run *", "in/weights", "run *");
        }
        try (ImkerExecutor executor =
            imker.executor(
                ExecutorOptions.USUAL.withFiles(Map.of("x", elsewhere.resolve("none"))))) {
          assertThatThrownBy(() -> get(executor.submit(Calls::tree)))
              .hasMessageContaining("Cannot send " + elsewhere.resolve("none"));
        }
      }
    }
  }

  /** The options say a heap, or memory of each task. */
  @Test
  void memory_that_no_machine_has_is_told_at_submission_and_explained() throws Exception {
    Logger logger = Logger.getLogger("dev.imker.client");
    List<String> told = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord said) {
            told.add(new SimpleFormatter().formatMessage(said));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try (ImkerExecutor heap =
            POOL.imker().executor(ExecutorOptions.USUAL.withMemoryMegabytes(1 << 20));
        ImkerExecutor each = POOL.imker().executor(ExecutorOptions.USUAL.withMemory(1L << 50))) {
      CompletableFuture<Integer> first = heap.submit(Calls.product(2, 2));
      await()
          .untilAsserted(
              () ->
                  assertThat(told)
                      .anyMatch(line -> line.contains("has 1024.0 GB of memory for a Java heap")));
      CompletableFuture<Integer> second = each.submit(Calls.product(2, 2));
      await()
          .untilAsserted(
              () -> assertThat(told).anyMatch(line -> line.contains("has 1048576.0 GB of memory")));
      String job = told.getFirst().replaceAll("Job (\\d+):.*", "$1");
      assertThat(POOL.get("/api/v1/tasks/" + job + ".1/explain"))
          .contains("needs 1024.0 GB of memory for a Java heap, has ");
      first.cancel(true);
      second.cancel(true);
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void a_host_that_cannot_start_fails_its_calls_and_nobody_elses() throws Exception {
    ExecutorOptions tiny = ExecutorOptions.USUAL.withMemoryMegabytes(1);
    try (ImkerExecutor executor = POOL.imker().executor(tiny);
        ImkerExecutor other = POOL.imker().executor()) {
      assertThatThrownBy(() -> get(executor.submit(Calls.product(2, 2))))
          .hasMessageContaining("task host");
      assertThat(get(other.submit(Calls.product(2, 3)))).isEqualTo(6);
    }
  }

  @Test
  void a_cancelled_call_ends() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      CompletableFuture<String> waiting = executor.submit(Calls.waiting());
      await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> running() > 0);
      assertThat(waiting.cancel(true)).isTrue();
      await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> running() == 0);
    }
  }

  @Test
  void how_far_a_call_has_come_can_be_seen() throws Exception {
    try (ImkerExecutor executor =
        POOL.imker().executor(ExecutorOptions.USUAL.withName("progressing"))) {
      CompletableFuture<String> waiting = executor.submit(Calls.waiting());
      try {
        await()
            .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
            .untilAsserted(
                () ->
                    assertThat(POOL.get("/api/v1/jobs/" + lastJob() + "/tasks"))
                        .contains("\"progress\":{\"fraction\":0.5,\"text\":\"half\"}"));
      } finally {
        waiting.cancel(true); // the executor waits for it
      }
    }
  }

  private static String lastJob() throws Exception {
    return SharedPool.field("id", POOL.get("/api/v1/jobs?name=progressing"));
  }

  private static int running() {
    return POOL.pool().runningTasks();
  }

  @Test
  void a_stream_of_many_elements_is_mapped_in_order() {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      List<Integer> squares =
          executor.map(IntStream.range(0, 20_000).boxed(), (Integer n) -> n * n % 1_000).toList();
      assertThat(squares).hasSize(20_000);
      assertThat(squares.get(19_999)).isEqualTo(19_999 * 19_999 % 1_000);
      assertThat(executor.map(List.of("a", "bb"), String::length)).containsExactly(1, 2);
    }
  }

  @Test
  void results_are_published_as_they_come_and_as_they_are_asked_for() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      Collecting<Integer, Integer> collecting = new Collecting<>();
      executor
          .publish(IntStream.range(0, 1_000).boxed().toList(), (Integer n) -> n + 1)
          .subscribe(collecting);
      assertThat(collecting.all().get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .hasSize(1_000)
          .allSatisfy(applied -> assertThat(applied.result()).isEqualTo(applied.argument() + 1));
    }
  }
}
