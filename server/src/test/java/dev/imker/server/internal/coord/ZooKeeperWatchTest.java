package dev.imker.server.internal.coord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.coord.CoordinationException;
import dev.imker.coord.tasks.Member;
import dev.imker.coord.tasks.TaskCoordination;
import dev.imker.coord.tasks.ZooKeeperCoordination;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;

/** Who waits is woken by what ZooKeeper tells, and looks at nothing before. */
class ZooKeeperWatchTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Whoever is not woken fails the test by its patience. */
  private static final long LONG_MILLIS = Duration.ofMinutes(10).toMillis();

  private static final Member FIRST = new Member("1.1", "1-1-1");
  private static final Member SECOND = new Member("1.2", "1-2-1");
  private static final Member THIRD = new Member("1.3", "1-3-1");

  private static void awaitWaiting(TaskCoordination all, String name) {
    await().atMost(PATIENCE).until(() -> all.waiters().waiting("/imker/tasks/s/lock/" + name) == 1);
  }

  private static void handOver(TaskCoordination all, ExecutorService threads, String name)
      throws Exception {
    await() // until a ZooKeeper that has just begun can be asked
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(CoordinationException.class)
        .until(() -> all.acquire("s", name, FIRST, LONG_MILLIS).held());
    Future<TaskCoordination.Held> second =
        threads.submit(() -> all.acquire("s", name, SECOND, LONG_MILLIS));
    awaitWaiting(all, name);
    assertThat(all.release("s", name, FIRST)).isTrue();
    assertThat(second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).held()).isTrue();
  }

  @Test
  void waiting_goes_on_over_a_zookeeper_that_comes_late_and_one_that_begins_anew()
      throws Exception {
    int port = InstanceSpec.getRandomPort();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        TaskCoordination all = new ZooKeeperCoordination("127.0.0.1:" + port, _ -> true, 1)) {
      try (TestingServer _ = new TestingServer(port, true)) {
        handOver(all, threads, "late");
      }
      try (TestingServer _ = new TestingServer(port, true)) { // it knows of no watch
        handOver(all, threads, "anew");
      }
      threads.shutdownNow();
    }
  }

  @Test
  void slow_look_at_runs_that_are_over_keeps_nobody_from_being_woken() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    AtomicBoolean asked = new AtomicBoolean();
    try (TestingServer zookeeper = new TestingServer(true);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        TaskCoordination all =
            new ZooKeeperCoordination(
                zookeeper.getConnectString(),
                member -> {
                  if (member.equals(THIRD) && Thread.currentThread().getName().contains("tidy")) {
                    asked.set(true);
                    hold(answers);
                  }
                  return true;
                },
                1)) {
      assertThat(all.acquire("s", "slow", THIRD, LONG_MILLIS).held()).isTrue();
      Future<TaskCoordination.Held> stuck =
          threads.submit(() -> all.acquire("s", "slow", SECOND, LONG_MILLIS));
      awaitWaiting(all, "slow");
      await().atMost(PATIENCE).untilTrue(asked);
      handOver(all, threads, "quick");
      answers.countDown();
      assertThat(all.release("s", "slow", THIRD)).isTrue();
      assertThat(stuck.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).held()).isTrue();
      threads.shutdownNow();
    }
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
