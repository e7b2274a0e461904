package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.client.Imker;
import dev.imker.client.executor.Actor;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls outlive the server and the agents they were handed to. */
class RestartTest {
  private static final long PATIENCE_SECONDS = 90;

  @TempDir Path folder;

  @Test
  void calls_come_back_across_a_restart_of_the_server() throws Exception {
    try (TestPool pool = TestPool.start(folder);
        Imker imker = pool.connect();
        ImkerExecutor executor = imker.executor(ExecutorOptions.USUAL.withChunk(5))) {
      List<CompletableFuture<Integer>> before = submit(executor, 200);
      before.getFirst().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      pool.restartServer();
      List<CompletableFuture<Integer>> after = submit(executor, 100);
      check(before);
      check(after);
    }
  }

  @Test
  void calls_come_back_although_all_agents_were_replaced() throws Exception {
    try (TestPool pool = TestPool.start(folder);
        Imker imker = pool.connect();
        ImkerExecutor executor = imker.executor(ExecutorOptions.USUAL.withChunk(5))) {
      List<CompletableFuture<Integer>> calls = submit(executor, 300);
      calls.getFirst().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      pool.stopAgents();
      pool.addAgent();
      check(calls);
    }
  }

  /** The call that is under way when its machine goes is made again, on the object as it was. */
  @Test
  void an_actor_comes_back_elsewhere_and_counts_every_call_once() throws Exception {
    Path started = folder.resolve("started");
    Path gate = folder.resolve("gate");
    try (TestPool pool = TestPool.start(folder.resolve("pool"));
        Imker imker = pool.connect();
        ImkerExecutor executor = imker.executor()) {
      Actor<Tally> tally = executor.actor("tally", Tally::new);
      tally.call(t -> t.add("a")).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      CompletableFuture<Integer> second = tally.call(t -> t.addBehind("a", started, gate));
      await().until(() -> Files.exists(started));
      CompletableFuture<Integer> third = tally.call(t -> t.add("a"));
      pool.stopAgents();
      pool.restartServer();
      Files.createFile(gate);
      pool.addAgent();
      assertThat(second.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(2);
      assertThat(third.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(3);
    }
  }

  /** By far longer than a lease; the agent is not told that anybody is still interested. */
  @Test
  void what_ends_while_the_server_is_away_for_minutes_is_reported_when_it_is_back()
      throws Exception {
    Path started = folder.resolve("started");
    Path gate = folder.resolve("gate");
    Path ended = folder.resolve("ended");
    try (TestPool pool = TestPool.start(folder.resolve("pool"));
        Imker imker = pool.connect();
        ImkerExecutor executor = imker.executor()) {
      CompletableFuture<String> call =
          executor.submit(SubCalls.between(started.toString(), gate.toString(), ended.toString()));
      await().until(() -> Files.exists(started));
      pool.restartServer(
          () -> {
            pool.clock().advance(Duration.ofMinutes(20));
            write(gate);
            await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(ended));
          });
      assertThat(call.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("seen");
      assertThat(started).as("begun once").hasContent("x");
    }
  }

  private static void write(Path file) {
    try {
      Files.writeString(file, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<CompletableFuture<Integer>> submit(ImkerExecutor executor, int count) {
    List<CompletableFuture<Integer>> futures = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      futures.add(executor.submit(Calls.product(i, 3)));
    }
    return futures;
  }

  private static void check(List<CompletableFuture<Integer>> futures) throws Exception {
    for (int i = 0; i < futures.size(); i++) {
      assertThat(futures.get(i).get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(3 * i);
    }
  }
}
