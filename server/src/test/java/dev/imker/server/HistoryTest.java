package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When machines came and went and how long tasks ran is kept, for the simulator to replay. */
class HistoryTest {
  private static final String PATH = "/api/v1/history";
  @TempDir Path folder;

  @Test
  void machines_and_runs_are_told_also_after_a_restart() {
    try (TestServer server = TestServer.start(folder)) {
      assertThat(server.admin().putJson("/api/v1/resources/seat", "{\"amount\":2.5}").status())
          .isEqualTo(200);
      server
          .admin()
          .submit(
              "{\"command\":[\"x\"],\"project\":\"p\",\"needs\":{\"alternatives\":[{\"cores\":2}]}}");
      try (TestAgent agent = TestAgent.connect(server.running().joinToken(), "w", 2)) {
        var first = agent.nextAssignment();
        long now = System.currentTimeMillis();
        agent.finish(
            TestAgent.done(first).setStartedMillis(now - 7000).setEndedMillis(now).build());
        agent.nextConfirmed();
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> !history(server).at("/nodes/0/up").isEmpty());
        check(history(server));
      }
      server.restart();
      check(history(server));
      assertThat(server.admin().get(PATH + "?days=0").status()).isEqualTo(400);
    }
  }

  private static JsonNode history(TestServer server) {
    return server.admin().get(PATH).json();
  }

  private static void check(JsonNode history) {
    assertThat(history.path("strategy").asText()).isNotEmpty();
    JsonNode node = history.at("/nodes/0");
    assertThat(node.path("slots").asInt()).isEqualTo(2);
    assertThat(node.path("up")).hasSize(1);
    assertThat(node.at("/up/0/toMillis").asLong())
        .isGreaterThan(node.at("/up/0/fromMillis").asLong());
    JsonNode job = history.at("/jobs/0");
    assertThat(job.path("project").asText()).isEqualTo("p");
    assertThat(job.path("tasks").asInt()).isEqualTo(1);
    assertThat(job.at("/runs/0/millis").asLong()).isEqualTo(7000);
    assertThat(job.at("/runs/0/node").asInt()).isZero();
    assertThat(job.at("/runs/0/granted").asText()).isEqualTo("0 cores=200");
    assertThat(node.at("/amounts/cores").asLong()).isEqualTo(6400);
    assertThat(history.at("/resources/seat").asDouble()).isEqualTo(2.5);
  }
}
