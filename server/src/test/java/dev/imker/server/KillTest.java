package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.wire.proto.Confirmed;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server under load is killed at random moments, again and again. What was acknowledged to the
 * client (jobs) and to the agent (reports) is never lost, and no task counts twice.
 */
class KillTest {
  private static final int TASKS = 40;
  private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final int MIN_ROUNDS = 3;
  private static final int MAX_ROUNDS = 15;

  @TempDir Path folder;
  private volatile @Nullable Rest current;
  private volatile boolean stopped;

  /** Jobs that were acknowledged, by their key. */
  private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();

  /** Tokens whose success was confirmed, by task. */
  private final Map<String, Set<Long>> confirmed = new ConcurrentHashMap<>();

  @Test
  @Timeout(300)
  void nothing_acknowledged_is_lost_and_nothing_counts_twice() throws Exception {
    long seed = System.nanoTime();
    System.out.println("KillTest seed " + seed);
    Random random = new Random(seed);
    ServerProcess server = ServerProcess.start(folder, 0);
    current = server.admin();
    CompletableFuture<Void> client =
        CompletableFuture.runAsync(this::submitForEver, task -> Thread.ofVirtual().start(task));
    int rounds = 0;
    try (TestAgent agent = TestAgent.connect(server.joinToken(), "killed", 4)) {
      agent.onConfirmed(this::remember);
      agent.finishAll(TestAgent::success);
      long deadline = System.nanoTime() + BUDGET_NANOS;
      while (rounds < MIN_ROUNDS || (System.nanoTime() < deadline && rounds < MAX_ROUNDS)) {
        awaitJobs(acknowledged.size() + random.nextInt(20));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(300)));
        server.kill();
        server = ServerProcess.start(folder, server.port());
        current = server.admin();
        checkNothingLost(server.admin());
        rounds++;
      }
      stopped = true;
      client.get();
      awaitAllDone(server.admin());
      checkNothingLost(server.admin());
      checkTotals(server.admin());
    } finally {
      stopped = true;
      server.kill();
    }
    System.out.printf(
        "KillTest: %d kills, %d jobs, %d tasks confirmed%n",
        rounds, acknowledged.size(), confirmed.size());
  }

  /** A cold server takes its time for the first jobs; killing it before them would prove little. */
  private void awaitJobs(int jobs) {
    await().atMost(Duration.ofSeconds(60)).until(() -> acknowledged.size() >= jobs);
  }

  private void submitForEver() {
    for (int i = 0; !stopped; i++) {
      String key = "key-" + i;
      while (!acknowledged.containsKey(key)) {
        trySubmit(key);
      }
    }
  }

  private void trySubmit(String key) {
    Rest rest = current;
    String job =
        "{\"name\":\"%s\",\"kind\":\"NOOP\",\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":%d}}]}"
            .formatted(key, TASKS);
    try {
      if (rest != null) {
        Rest.Reply reply =
            rest.send(
                rest.request("/api/v1/jobs")
                    .header("Idempotency-Key", key)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(job)));
        if (reply.status() == 201 || reply.status() == 200) {
          acknowledged.put(key, reply.json().get("id").asLong());
          return;
        }
      }
    } catch (UncheckedIOException e) {
      // The server is dead; the same key is tried again when it is back.
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
  }

  private void remember(Confirmed message) {
    if (message.getAccepted()) {
      String task = message.getLease().getJob() + "." + message.getLease().getIndex();
      confirmed
          .computeIfAbsent(task, key -> ConcurrentHashMap.newKeySet())
          .add(message.getLease().getToken());
    }
  }

  private void checkNothingLost(Rest admin) {
    Map<String, Long> jobs = Map.copyOf(acknowledged);
    Map<Long, Long> doneByJob =
        Set.copyOf(confirmed.keySet()).stream()
            .collect(
                Collectors.groupingBy(
                    task -> Long.valueOf(task.substring(0, task.indexOf('.'))),
                    Collectors.counting()));
    Map<Long, JsonNode> views = allJobs(admin);
    for (Map.Entry<String, Long> job : jobs.entrySet()) {
      assertThat(views).as("job " + job).containsKey(job.getValue());
      JsonNode view = Objects.requireNonNull(views.get(job.getValue()));
      assertThat(view.get("name").asText()).isEqualTo(job.getKey());
      assertThat(view.at("/counts/done").asLong())
          .as("done tasks of job " + job)
          .isGreaterThanOrEqualTo(doneByJob.getOrDefault(job.getValue(), 0L));
    }
    assertThat(confirmed.values()).as("one accepted attempt per task").allMatch(t -> t.size() == 1);
  }

  private static Map<Long, JsonNode> allJobs(Rest admin) {
    Map<Long, JsonNode> views = new HashMap<>();
    String next = "";
    do {
      JsonNode page = admin.get("/api/v1/jobs?limit=1000" + next).json();
      page.get("jobs").forEach(job -> views.put(job.get("id").asLong(), job));
      next = page.get("next").isNull() ? "" : "&before=" + page.get("next");
    } while (!next.isEmpty());
    return views;
  }

  private void awaitAllDone(Rest admin) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              JsonNode tasks = admin.get("/api/v1/pool").json().get("tasks");
              return tasks.get("ready").asLong() + tasks.get("running").asLong() == 0;
            });
  }

  private void checkTotals(Rest admin) {
    JsonNode tasks = admin.get("/api/v1/pool").json().get("tasks");
    assertThat(tasks.get("done").asLong()).isEqualTo((long) acknowledged.size() * TASKS);
    assertThat(tasks.get("failed").asLong() + tasks.get("autoBlocked").asLong()).isZero();
    assertThat(acknowledged.values()).doesNotHaveDuplicates();
  }
}
