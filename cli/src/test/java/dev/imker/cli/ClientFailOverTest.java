package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.client.plan.Wanted;
import dev.imker.samples.Crossing;
import dev.imker.samples.RemoteCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Java program whose server is killed under it. Calls write down that they were made, in a file
 * that Imker knows nothing of; some of them, and the second step of a planned job, end only after
 * the kill.
 */
@EnabledOnOs(OS.LINUX)
class ClientFailOverTest {
  private static final int BEFORE = 200;
  private static final int ACROSS = 100;
  private static final int AFTER = 100;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;
  private ServersFixture pool;
  private final AtomicInteger completions = new AtomicInteger();
  private final List<CompletableFuture<String>> calls = new ArrayList<>();

  @BeforeEach
  void start() {
    pool = ServersFixture.start(folder);
  }

  @AfterEach
  void stop() {
    pool.close();
  }

  private String diary() {
    return folder.resolve("diary").toString();
  }

  private String gate() {
    return folder.resolve("gate").toString();
  }

  @Test
  void every_future_completes_once_and_with_its_value_though_the_leader_is_killed()
      throws Exception {
    pool.addAgent("a", 3);
    try (Imker imker = Imker.connect(pool.urls(), pool.adminToken());
        ImkerExecutor executor = imker.executor(ExecutorOptions.USUAL.withChunk(5))) {
      CompletableFuture<Wanted> planned =
          imker
              .planned("crossing")
              .with(Crossing.Begin.class, Crossing.End.class)
              .has(new Crossing.Route(diary(), gate()))
              .wants(Crossing.OtherSide.class)
              .submit();
      await()
          .atMost(PATIENCE)
          .until(() -> lines().stream().anyMatch(line -> line.startsWith("middle")));
      IntStream.range(0, BEFORE)
          .forEach(i -> follow(executor.submit(RemoteCalls.noted(i, diary()))));
      IntStream.range(BEFORE, BEFORE + ACROSS)
          .forEach(i -> follow(executor.submit(RemoteCalls.notedBehind(i, diary(), gate()))));
      get(calls.getFirst());
      ServersFixture.Server dead = pool.leader();
      dead.kill();
      long killedNanos = System.nanoTime();
      Files.createFile(Path.of(gate()));
      IntStream.range(BEFORE + ACROSS, BEFORE + ACROSS + AFTER)
          .forEach(i -> follow(executor.submit(RemoteCalls.noted(i, diary()))));
      assertThat(pool.leader()).isNotSameAs(dead);
      tell("the next server leads", killedNanos);
      check();
      tell("all calls are back", killedNanos);
      assertThat(get(planned).get(Crossing.OtherSide.class).value()).isEqualTo(42);
      assertThat(executor.map(List.of(1, 2, 3), RemoteCalls.squaring())).containsExactly(1, 4, 9);
    }
    assertThat(completions).hasValue(calls.size());
  }

  private void follow(CompletableFuture<String> call) {
    calls.add(call.whenComplete((_, _) -> completions.incrementAndGet()));
  }

  private void check() throws Exception {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      words.add(get(calls.get(i)));
      assertThat(words.getLast()).startsWith(i + " ");
    }
    assertThat(lines()).as("the calls that really were made").containsAll(words);
  }

  private List<String> lines() throws IOException {
    Path file = Path.of(diary());
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static void tell(String what, long sinceNanos) {
    System.out.printf(
        "fail-over: %s after %d ms%n",
        what, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos));
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
