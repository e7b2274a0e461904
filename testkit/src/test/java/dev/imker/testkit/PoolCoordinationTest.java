package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** In a pool; and what else tasks share with the pool. */
class PoolCoordinationTest extends CoordinationContract {
  private static final long PATIENCE_SECONDS = 120;

  @RegisterExtension static final SharedPool POOL = new SharedPool();

  @Override
  Imker imker() {
    return POOL.imker();
  }

  @Test
  void a_task_that_joins_needs_no_slot_of_its_users_quota() throws Exception {
    POOL.ask(
        "POST", "/api/v1/users", "{\"user\":\"eva\",\"role\":\"user\",\"quota\":{\"slots\":1}}");
    POOL.ask("POST", "/api/v1/nodes/agent-1/terms", "{\"unsandboxed\":true}");
    String token =
        SharedPool.field(
            "token", POOL.ask("POST", "/api/v1/tokens", "{\"user\":\"eva\",\"title\":\"test\"}"));
    try (Imker eva = Imker.connect(POOL.pool().server().address().toString(), token);
        ImkerExecutor executor = eva.executor()) {
      assertThat(executor.submit(SubCalls.fibonacciOf(5)).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo(5);
    }
  }

  @Test
  void what_a_call_waits_for_is_explained() throws Exception {
    ExecutorOptions named = ExecutorOptions.USUAL.withName("waiting-at").withChunk(1);
    try (ImkerExecutor executor = POOL.imker().executor(named)) {
      CompletableFuture<Integer> one = executor.submit(Coordinated.rounds(2, 1));
      await()
          .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
          .until(() -> explained("waiting-at").contains("to enter the barrier rounds of 2 tasks"));
      assertThat(explained("waiting-at")).contains("no other task is waiting there");
      CompletableFuture<Integer> other = executor.submit(Coordinated.rounds(2, 1));
      assertThat(one.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(other.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  private static String explained(String name) throws Exception {
    String job = SharedPool.field("id", POOL.get("/api/v1/jobs?name=" + name));
    return job.isEmpty() ? "" : POOL.get("/api/v1/tasks/" + job + ".1/explain");
  }

  @Test
  void the_log_of_a_running_call_can_be_followed() throws Exception {
    Path sign = POOL.folder().resolve("go");
    ExecutorOptions named = ExecutorOptions.USUAL.withName("talking").withChunk(1);
    try (ImkerExecutor executor = POOL.imker().executor(named)) {
      CompletableFuture<String> talking = executor.submit(Calls.talking(sign.toString()));
      String job =
          await()
              .until(
                  () ->
                      SharedPool.field("id", POOL.get("/api/v1/jobs?name=talking&status=RUNNING")),
                  id -> !id.isEmpty());
      try (Stream<String> lines = POOL.follow("/api/v1/tasks/" + job + ".1/stderr?follow=true")) {
        var heard = lines.iterator();
        assertThat(heard.next()).isEqualTo("first words");
        Files.createFile(sign); // only now it goes on
        assertThat(heard.next()).isEqualTo("last words");
      }
      assertThat(talking.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("said");
    }
  }

  @Test
  void calls_find_the_files_that_were_sent_along() throws Exception {
    Path file = Files.writeString(POOL.folder().resolve("honey.txt"), "sweet");
    ExecutorOptions options = ExecutorOptions.USUAL.withFiles(Map.of("in/honey.txt", file));
    try (ImkerExecutor executor = POOL.imker().executor(options)) {
      assertThat(
              executor
                  .submit(Calls.contentOf("in/honey.txt"))
                  .get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo("sweet");
    }
    try (Imker local = Imker.local(1);
        ImkerExecutor executor = local.executor(options)) {
      assertThat(
              executor
                  .submit(Calls.contentOf("in/honey.txt"))
                  .get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo("sweet");
    }
  }
}
