package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.server.drop.DropFolders;
import dev.imker.testbase.ExpectedLogs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in a drop folder become jobs of a real server. */
@ExpectedLogs("The drop folder .* waits: .* cannot be used")
class DropFolderTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temporary;
  private Path drop = Path.of("");
  private TestServer server;

  @BeforeEach
  void start() {
    drop = temporary.resolve("drop");
    server =
        TestServer.start(
            TestServer.settings(temporary.resolve("data"))
                .withDrops(List.of(new DropFolders.Added(drop.toString(), "admin", ""))));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void put(String path, String text) throws IOException {
    Path file = drop.resolve("inbox").resolve(path);
    Files.createDirectories(file.getParent());
    Path half = Files.writeString(file.resolveSibling(file.getFileName() + ".part"), text);
    Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void awaitFile(String path) {
    await().atMost(PATIENCE).until(() -> Files.exists(drop.resolve(path)));
  }

  private JsonNode items() {
    return server.admin().get("/api/v1/drops/1/items").json().get("items");
  }

  @Test
  void a_file_becomes_a_job_of_the_project_it_lies_in_and_its_results_come_back() throws Exception {
    put("alpha/rain.yaml", "command: echo rain\npriority: 7\n");
    awaitFile("running/alpha/rain.yaml");
    try (TestAgent agent = server.agent("one")) {
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
      awaitFile("done/alpha/rain.yaml");
    }
    JsonNode job = server.admin().job(items().at("/0/jobs/0").asLong());
    assertThat(job.get("project").asText()).isEqualTo("alpha");
    assertThat(job.get("name").asText()).isEqualTo("rain");
    assertThat(job.get("priority").asInt()).isEqualTo(7);
    assertThat(items().at("/0/state").asText()).isEqualTo("DONE");
  }

  @Test
  void mistakes_are_told_beside_the_file_with_line_column_and_cure() throws Exception {
    put("wrong.yaml", "command: echo x\nmax-runtime: 90\nneeds:\n  cpus: 2\n");
    awaitFile("failed/wrong.yaml");
    assertThat(drop.resolve("failed/wrong.yaml.txt"))
        .content()
        .contains("wrong.yaml:2:14: max-runtime", "Did you mean cores?");
    assertThat(drop.resolve("running/wrong.yaml")).doesNotExist();
  }

  @Test
  void a_job_that_fails_tells_why_in_words() throws Exception {
    put("bad.yaml", "command: exit 3\nmax-failures: 1\n");
    try (TestAgent agent = server.agent("one")) {
      agent.finish(TestAgent.failure(agent.nextAssignment(), 3));
      agent.nextConfirmed();
      awaitFile("failed/bad.yaml");
    }
    assertThat(drop.resolve("failed/bad.yaml.txt")).content().contains("failed", "exit code 3");
  }

  @Test
  void taking_a_running_file_away_cancels_its_job() throws Exception {
    put("long.yaml", "command: sleep 100\n");
    awaitFile("running/long.yaml");
    await().atMost(PATIENCE).until(() -> items().at("/0/jobs/0").asLong() > 0);
    long job = items().at("/0/jobs/0").asLong();
    Files.delete(drop.resolve("running/long.yaml"));
    await()
        .atMost(PATIENCE)
        .until(() -> server.admin().job(job).get("status").asText().equals("CANCELLED"));
    await().atMost(PATIENCE).until(() -> items().at("/0/state").asText().equals("WITHDRAWN"));
  }

  @Test
  void inputs_lie_beside_the_file_or_in_the_folder_for_data_and_nowhere_else() throws Exception {
    Files.createDirectories(drop.resolve("data"));
    Files.writeString(drop.resolve("data/table.csv"), "1,2\n");
    Files.writeString(temporary.resolve("secret.txt"), "secret");
    put("reads.yaml", "command: cat table.csv\ninputs: [table.csv]\n");
    put("spies.yaml", "command: cat secret.txt\ninputs: [../../secret.txt]\n");
    awaitFile("running/reads.yaml");
    awaitFile("failed/spies.yaml.txt");
    assertThat(drop.resolve("failed/spies.yaml.txt")).content().contains("inputs");
  }

  @Test
  void a_kept_folder_that_cannot_be_opened_yet_is_told_and_watched_when_it_can() throws Exception {
    Path share = temporary.resolve("share");
    Path away = temporary.resolve("away");
    server.admin().post("/api/v1/drops", "{\"place\":\"%s\"}".formatted(share));
    server.stopAnd(
        () -> {
          try {
            Files.move(share, away);
            Files.writeString(share, "not mounted");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    await()
        .atMost(PATIENCE)
        .until(() -> server.admin().get("/api/v1/drops").text().contains("cannot be used"));
    Files.delete(share);
    Files.move(away, share);
    Files.writeString(share.resolve("inbox/rain.yaml"), "command: echo rain\n");
    await().atMost(PATIENCE).until(() -> Files.exists(share.resolve("running/rain.yaml")));
    assertThat(server.admin().get("/api/v1/drops").text()).doesNotContain("cannot be used");
  }

  @Test
  void folders_are_added_kept_over_a_restart_and_removed() throws Exception {
    Path other = temporary.resolve("other");
    Rest admin = server.admin();
    assertThat(
            admin.post("/api/v1/drops", "{\"place\":\"%s\"}".formatted(other)).json().get("number"))
        .hasToString("2");
    assertThat(admin.post("/api/v1/drops", "{\"place\":\"%s\"}".formatted(other)).errorMessage())
        .contains("is already being watched");
    server.restart();
    JsonNode folders = server.admin().get("/api/v1/drops").json().get("folders");
    assertThat(folders.findValuesAsText("place")).hasSize(2).contains(other.toString());
    int number =
        folders.get(0).get("kept").asBoolean()
            ? folders.get(0).get("number").asInt()
            : folders.get(1).get("number").asInt();
    assertThat(server.admin().method("DELETE", "/api/v1/drops/" + number).status()).isEqualTo(204);
    server.restart();
    assertThat(server.admin().get("/api/v1/drops").json().get("folders")).hasSize(1);
  }

  @Test
  void a_restarted_server_goes_on_where_it_was() throws Exception {
    put("a.yaml", "command: echo a\n");
    awaitFile("running/a.yaml");
    server.restart();
    put("b.yaml", "command: echo b\n");
    awaitFile("running/b.yaml");
    try (TestAgent agent = server.agent("one")) {
      for (int i = 0; i < 2; i++) {
        agent.finish(TestAgent.success(agent.nextAssignment()));
        agent.nextConfirmed();
      }
      awaitFile("done/a.yaml");
      awaitFile("done/b.yaml");
    }
    assertThat(items().findValuesAsText("state")).containsExactly("DONE", "DONE");
  }
}
