package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.testdb.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pool that has grown in its folder (work that is done, that runs, that waits; users, results,
 * statistics, an agent that holds a task) moves into a database by the real command, and goes on.
 */
@EnabledOnOs(OS.LINUX)
class MigrateTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir Path folder;
  private final String database = TestPostgres.freshDatabase();

  private static String ok(ImkerProcess.Finished finished) {
    assertThat(finished.exitCode()).as(finished.out() + finished.err()).isZero();
    return finished.out();
  }

  @Test
  void a_grown_pool_goes_on_in_the_database() throws Exception {
    Path gate = folder.resolve("gate");
    Path begun = folder.resolve("begun");
    try (PoolFixture pool = PoolFixture.start(folder)) {
      ImkerProcess agent = pool.addAgent("a", 1);
      ok(pool.imker("run", "--wait", "--name", "done", "--", "echo {1..3} | tee out.txt"));
      ok(pool.imker("users", "add", "eva", "--no-password"));
      ok(
          pool.imker(
              "run",
              "--name",
              "running",
              "--",
              "echo x >> %s; until [ -e %s ]; do sleep 0.1; done; echo ran"
                  .formatted(begun, gate)));
      ok(pool.imker("run", "--name", "queued", "--", "echo {a,b}"));
      await().atMost(PATIENCE).until(() -> Files.exists(begun));
      JsonNode before = pool.imkerJson("ls");
      assertThat(profile(pool).isObject()).isTrue();

      pool.stopServer();
      String said = ok(migrate(pool));
      assertThat(said).contains("Moved");
      assertThat(migrate(pool).exitCode()).as("a second time").isNotZero();

      pool.restartServer(Map.of("IMKER_DB", database));
      assertThat(pool.imkerJson("ls").findValuesAsText("name"))
          .isEqualTo(before.findValuesAsText("name"));
      assertThat(ok(pool.imker("logs", "done.2"))).isEqualTo("2\n");
      Path results = folder.resolve("results");
      ok(pool.imker("results", "done", "--results", results.toString()));
      assertThat(results.resolve("0003/out.txt")).hasContent("3\n");
      assertThat(ok(pool.imker("users"))).contains("eva");
      assertThat(agent.isAlive()).isTrue();
      Files.createFile(gate);
      ok(pool.imker("wait", "running"));
      ok(pool.imker("wait", "queued"));
      assertThat(ok(pool.imker("logs", "running"))).isEqualTo("ran\n");
      assertThat(Files.readAllLines(begun)).as("the task ran on meanwhile").hasSize(1);
      assertThat(profile(pool).isObject()).isTrue();
      assertThat(ok(pool.imker("run", "--wait", "--", "echo next"))).isEqualTo("next\n");
    }
  }

  private ImkerProcess.Finished migrate(PoolFixture pool) {
    String from = "sqlite:" + pool.home().resolve("data");
    return pool.imker("migrate", "--from", from, "--to", database);
  }

  /** What is known of the machine's behaviour. */
  private static JsonNode profile(PoolFixture pool) {
    try (ApiClient api = pool.api()) {
      String node = api.get("/api/v1/nodes").path("nodes").path(0).path("id").asText();
      return api.get("/api/v1/nodes/" + node).path("profile");
    }
  }
}
