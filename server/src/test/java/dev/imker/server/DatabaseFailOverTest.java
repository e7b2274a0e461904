package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.coord.LeaseTimes;
import dev.imker.server.members.SharedPool;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.PostgresProcess;
import dev.imker.testdb.ReplicatedPostgres;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on a database of two hosts, of which the one that writes is lost. */
@ExpectedLogs("^WARN ")
class DatabaseFailOverTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Short signs of life, and a long life: nobody is deposed because the machine is busy. */
  private static final LeaseTimes LEASE = new LeaseTimes(200, 120_000);

  @TempDir Path folder;

  /** What was acknowledged: numbers of jobs, by the number in their names. */
  private final Map<Integer, Long> acknowledged = new ConcurrentSkipListMap<>();

  private final AtomicBoolean enough = new AtomicBoolean();

  @Test
  void pool_goes_on_at_the_replica_with_every_acknowledged_job_exactly_once() throws Exception {
    lose(PostgresProcess::kill);
  }

  @Test
  void pool_leaves_a_database_that_is_silent_for_its_replica() throws Exception {
    lose(PostgresProcess::freeze);
  }

  private void lose(Consumer<PostgresProcess> fault) throws Exception {
    try (ReplicatedPostgres databases = ReplicatedPostgres.start(folder.resolve("databases"));
        TestServer first = start("first", databases);
        TestServer second = start("second", databases)) {
      List<TestServer> servers = List.of(first, second);
      CompletableFuture<Void> submitting =
          CompletableFuture.runAsync(() -> submitAll(servers), Thread::startVirtualThread);
      try {
        awaitAcknowledged(10, submitting);
        fault.accept(databases.primary());
        int before = acknowledged.size();
        databases.promote();
        awaitAcknowledged(before + 10, submitting);
      } finally {
        enough.set(true);
      }
      submitting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      List<String> expected = acknowledged.keySet().stream().map(n -> "job-" + n).toList();
      // Who leads may change once more, as the other one may be the first to find the replica.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(leads(first)).as("exactly one leads").isNotEqualTo(leads(second));
                assertThat(jobNames(leads(first) ? first : second))
                    .containsExactlyInAnyOrderElementsOf(expected);
              });
      try (TestAgent _ = first.succeedingAgent("worker")) {
        acknowledged.forEach((number, job) -> awaitDone(first, number, job));
      }
      assertThat(jobNames(first)).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private TestServer start(String name, ReplicatedPostgres databases) {
    SharedPool shared = SharedPool.of(databases.url() + "&sslmode=disable").withLease(LEASE);
    return TestServer.start(TestServer.settings(folder.resolve(name)).withShared(shared));
  }

  /** Only a leader answers this itself. */
  private static boolean leads(TestServer server) {
    return server.admin().get("/api/v1/pool").status() == 200;
  }

  private void awaitAcknowledged(int count, CompletableFuture<Void> submitting) {
    await().atMost(PATIENCE).until(() -> acknowledged.size() >= count || submitting.isDone());
  }

  private void submitAll(List<TestServer> servers) {
    for (int number = 1; !enough.get(); number++) {
      acknowledged.put(number, submit(servers, number));
    }
  }

  /** Asks one server after the other until one has acknowledged the job. */
  private static long submit(List<TestServer> servers, int number) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String last = "";
    for (int i = 0; System.nanoTime() < deadline; i++) {
      try {
        Rest.Reply reply =
            servers
                .get(i % servers.size())
                .admin()
                .post("/api/v1/jobs", noops(number), "Idempotency-Key", "key-" + number);
        if (reply.status() == 201 || reply.status() == 200) {
          return reply.json().get("id").asLong();
        }
        last = reply.status() + " " + reply.text();
      } catch (UncheckedIOException e) {
        last = e.toString();
      }
    }
    throw new AssertionError("job " + number + " was not taken: " + last);
  }

  private static String noops(int number) {
    return "{\"name\":\"job-"
        + number
        + "\",\"kind\":\"NOOP\",\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":3}}]}";
  }

  private static List<String> jobNames(TestServer server) {
    List<String> names = new ArrayList<>();
    for (JsonNode job : server.admin().get("/api/v1/jobs?limit=1000").json().path("jobs")) {
      names.add(job.get("name").asText());
    }
    return names;
  }

  private static void awaitDone(TestServer server, int number, long job) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              JsonNode found = server.admin().get("/api/v1/jobs/" + job).json();
              assertThat(found.path("name").asText()).isEqualTo("job-" + number);
              assertThat(found.path("status").asText()).isEqualTo("DONE");
            });
  }
}
