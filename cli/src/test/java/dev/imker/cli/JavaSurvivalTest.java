package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.cli.api.ApiClient;
import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.samples.RemoteCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Java calls survive: a killed host, a killed agent, a killed server. */
class JavaSurvivalTest {
  private static final int CALLS = 600;
  private static final long PATIENCE_SECONDS = 120;

  @TempDir Path folder;

  @Test
  void every_call_has_its_result_though_host_agent_and_server_are_killed() throws Exception {
    try (PoolFixture pool = PoolFixture.start(folder, "--lease", "3")) {
      ImkerProcess agent = pool.addAgent("a", 2);
      pool.awaitAgents(1);
      try (Imker imker =
              Imker.connect(
                  pool.api().url().toString(), pool.announcement().path("adminToken").asText());
          ImkerExecutor executor = imker.executor(ExecutorOptions.USUAL.withChunk(2))) {
        get(executor.submit(RemoteCalls.processId())); // its own number there is not the one here
        ProcessHandle host = javaBelow(agent);
        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
          calls.add(executor.submit(RemoteCalls.slowSquare(i)));
        }
        get(calls.get(CALLS / 6));
        host.destroyForcibly();
        get(calls.get(CALLS / 3));
        agent.kill();
        pool.addAgent("a", 2);
        get(calls.get(CALLS / 2));
        pool.killServer();
        pool.restartServer();
        for (int i = 0; i < CALLS; i++) {
          assertThat(get(calls.get(i))).isEqualTo(i * i);
        }
        assertThat(host.isAlive()).isFalse();
      }
    }
  }

  @Test
  void an_attempt_that_was_lost_with_its_machine_is_no_retry_of_a_call() throws Exception {
    try (PoolFixture pool = PoolFixture.start(folder, "--lease", "3")) {
      ImkerProcess agent = pool.addAgent("a", 2);
      pool.awaitAgents(1);
      try (Imker imker =
              Imker.connect(
                  pool.api().url().toString(), pool.announcement().path("adminToken").asText());
          ImkerExecutor executor =
              imker.executor(ExecutorOptions.USUAL.withRetries(1).withName("lost"))) {
        CompletableFuture<Integer> call = executor.submit(RemoteCalls.lostThenFailed());
        await().atMost(Duration.ofMinutes(1)).until(() -> isRunning(pool, "lost"));
        agent.kill();
        pool.addAgent("a", 2);
        assertThat(get(call)).isEqualTo(3);
      }
    }
  }

  private static boolean isRunning(PoolFixture pool, String name) {
    try (ApiClient api = pool.api()) {
      return api.get("/api/v1/jobs?name=" + name).at("/jobs/0/counts/running").asInt() == 1;
    }
  }

  private static ProcessHandle javaBelow(ImkerProcess agent) {
    return ProcessHandle.of(agent.pid())
        .orElseThrow()
        .descendants()
        .filter(process -> process.info().command().orElse("").endsWith("/java"))
        .findFirst()
        .orElseThrow();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
