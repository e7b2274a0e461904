package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No more connections than allowed, and those that do the most work stay. */
class AgentLimitTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  @TempDir Path folder;

  private static Set<String> connected(Rest admin) {
    Set<String> names = new TreeSet<>();
    for (JsonNode node : admin.get("/api/v1/nodes").json().path("nodes")) {
      for (JsonNode agent : node.path("agents")) {
        if (agent.path("connected").asBoolean()) {
          names.add(agent.path("name").asText());
        }
      }
    }
    return names;
  }

  /** One that is thrown out may be noticed a moment after the one that takes its place. */
  private static void awaitRoom(Rest admin) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(connected(admin)).contains("busy").hasSizeLessThanOrEqualTo(2));
  }

  @Test
  void the_agent_that_did_the_least_goes_and_busy_ones_stay() {
    try (TestServer server = TestServer.start(TestServer.settings(folder).withMaxAgents(2));
        TestAgent busy = server.agent("busy")) {
      Rest admin = server.admin();
      busy.nextWelcome();
      busy.finishAll(TestAgent::success);
      long job =
          admin.submit(
              """
              {"kind":"NOOP","sweep":[{"name":"n","range":{"from":1,"to":2000}}]}""");
      await().atMost(PATIENCE).until(() -> admin.job(job).get("status").asText().equals("DONE"));
      try (TestAgent idle = server.agent("idle")) {
        idle.nextWelcome();
        try (TestAgent newcomer = server.agent("newcomer")) {
          newcomer.nextWelcome();
          await().atMost(PATIENCE).until(() -> !connected(admin).contains("idle"));
          awaitRoom(admin);
          // Those thrown out come again and again, and take turns with each other only.
          idle.nextWelcome();
          awaitRoom(admin);
          assertThat(busy.waitingWelcomes()).isZero();
        }
      }
    }
  }
}
