package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.client.ExecutorOptions;
import dev.imker.client.Imker;
import dev.imker.client.ImkerExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a pool. */
class PoolSpawnTest extends SpawnContract {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path folder;
  private static TestPool pool;
  private static Imker imker;

  @BeforeAll
  static void start() {
    pool = TestPool.start(folder);
    imker = pool.connect();
  }

  @AfterAll
  static void stop() {
    imker.close();
    pool.close();
  }

  @Override
  Imker imker() {
    return imker;
  }

  @Test
  void a_further_attempt_goes_on_from_the_checkpoint() throws Exception {
    try (ImkerExecutor executor = imker.executor(ExecutorOptions.USUAL.withRetries(1))) {
      assertThat(get(executor.submit(SubCalls.counting()))).isEqualTo(5);
    }
  }

  @Test
  void sub_tasks_end_with_the_task_that_spawned_them() {
    try (ImkerExecutor executor = imker.executor()) {
      CompletableFuture<String> parent = executor.submit(SubCalls.spawning());
      await().atMost(PATIENCE).until(() -> pool.runningTasks() == 2);
      parent.cancel(true);
      await().atMost(PATIENCE).until(() -> pool.runningTasks() == 0);
    }
  }

  @Test
  void sub_tasks_outlive_a_restart_of_the_server() throws Exception {
    try (ImkerExecutor executor = imker.executor()) {
      Path sign = folder.resolve("sign");
      CompletableFuture<String> parent = executor.submit(SubCalls.spawnWaitingFor(sign.toString()));
      await().atMost(PATIENCE).until(() -> Files.exists(folder.resolve("sign.begun")));
      pool.restartServer();
      Files.createFile(sign);
      assertThat(get(parent)).isEqualTo("seen");
    }
  }
}
