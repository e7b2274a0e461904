package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** In a pool. */
class PoolSpawnTest extends SpawnContract {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension static final SharedPool POOL = new SharedPool();

  @Override
  Imker imker() {
    return POOL.imker();
  }

  @Test
  void a_further_attempt_goes_on_from_the_checkpoint() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor(ExecutorOptions.USUAL.withRetries(1))) {
      assertThat(get(executor.submit(SubCalls.counting()))).isEqualTo(5);
    }
  }

  /** Two hosts are lost that both share; in the third, which is its own, it hears of the end. */
  @Test
  void sub_task_that_ends_its_process_fails_when_the_one_that_waits_was_lost_twice()
      throws Exception {
    Path begun = POOL.folder().resolve("begun");
    try (ImkerExecutor executor = POOL.imker().executor()) {
      CompletableFuture<String> parent = executor.submit(SubCalls.spawnHalting(begun.toString()));
      try {
        assertThatThrownBy(() -> get(parent)).hasMessageContaining("exit code 9");
      } finally {
        parent.cancel(true);
      }
    }
    assertThat(Files.readAllLines(begun)).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void sub_tasks_end_with_the_task_that_spawned_them() {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      CompletableFuture<String> parent = executor.submit(SubCalls.spawning());
      await().atMost(PATIENCE).until(() -> POOL.pool().runningTasks() == 2);
      parent.cancel(true);
      await().atMost(PATIENCE).until(() -> POOL.pool().runningTasks() == 0);
    }
  }

  @Test
  void sub_tasks_outlive_a_restart_of_the_server() throws Exception {
    try (ImkerExecutor executor = POOL.imker().executor()) {
      Path sign = POOL.folder().resolve("sign");
      CompletableFuture<String> parent = executor.submit(SubCalls.spawnWaitingFor(sign.toString()));
      await().atMost(PATIENCE).until(() -> Files.exists(POOL.folder().resolve("sign.begun")));
      POOL.pool().restartServer();
      Files.createFile(sign);
      assertThat(get(parent)).isEqualTo("seen");
    }
  }
}
