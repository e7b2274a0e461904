package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded of nodes and projects is shown, and outlives the server. */
class ProfilesTest {
  private static final String TWO_TASKS =
      "{\"command\":[\"x\"],\"rules\":{\"maxFailures\":1,\"speculative\":false},\"project\":\"p\","
          + "\"sweep\":[{\"name\":\"n\",\"values\":[\"1\",\"2\"]}]}";
  @TempDir Path folder;

  /** One success of a minute, one failure. */
  private static void work(Rest admin, String joinToken) {
    admin.submit(TWO_TASKS);
    try (TestAgent agent = TestAgent.connect(joinToken, "w", 1)) {
      var first = agent.nextAssignment();
      long now = System.currentTimeMillis();
      agent.finish(
          TestAgent.done(first).setStartedMillis(now - 60_000).setEndedMillis(now).build());
      agent.nextConfirmed();
      agent.finish(TestAgent.failure(agent.nextAssignment(), 3));
      agent.nextConfirmed();
    }
  }

  private static JsonNode profile(Rest admin) {
    return admin.get("/api/v1/nodes/node-w").json().get("profile");
  }

  private static void checkWork(JsonNode profile) {
    assertThat(profile.get("successes").asInt()).isEqualTo(1);
    assertThat(profile.get("failures").asInt()).isEqualTo(1);
    // Begins with 1, the class of the benchmark: 0.25·1 + 0.75·1. What failed nowhere else
    // succeeded.
    assertThat(profile.get("R").asDouble()).isEqualTo(1);
    assertThat(profile.get("faults").asInt()).isZero();
    assertThat(profile.get("reliabilityPercent").asDouble()).isEqualTo(100);
    assertThat(profile.get("rB").asDouble()).isEqualTo(1);
    assertThat(profile.get("B").asDouble()).isEqualTo(1);
  }

  private static JsonNode project(Rest admin) {
    for (JsonNode project : admin.get("/api/v1/projects").json().get("projects")) {
      if (project.get("project").asText().equals("p")) {
        return project;
      }
    }
    throw new AssertionError("no project");
  }

  @Test
  void what_attempts_showed_is_there_after_a_restart() {
    try (TestServer server = TestServer.start(folder)) {
      work(server.admin(), server.running().joinToken());
      JsonNode before = profile(server.admin());
      checkWork(before);
      JsonNode projectBefore = project(server.admin());
      assertThat(projectBefore.get("relDONE").asDouble()).isEqualTo(0.5);
      assertThat(projectBefore.get("tasks").asInt()).isEqualTo(2);
      server.restart();
      JsonNode after = profile(server.admin());
      checkWork(after);
      assertThat(after.get("avS")).isEqualTo(before.get("avS"));
      assertThat(after.get("avF")).isEqualTo(before.get("avF"));
      assertThat(after.get("up").asBoolean()).isFalse();
      assertThat(project(server.admin()).get("avT")).isEqualTo(projectBefore.get("avT"));
    }
  }

  @Test
  void what_was_written_within_seconds_is_there_after_a_kill() throws Exception {
    ServerProcess server = ServerProcess.start(folder, 0);
    try {
      work(server.admin(), server.joinToken());
      checkWork(profile(server.admin()));
      JsonNode runMinutes = project(server.admin()).get("avT");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> kept().contains("\"successes\":1,\"failures\":1"));
      server.kill();
      server = ServerProcess.start(folder, server.port());
      checkWork(profile(server.admin()));
      assertThat(project(server.admin()).get("avT")).isEqualTo(runMinutes);
    } finally {
      server.kill();
    }
  }

  private String kept() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("imker.db"));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT profile FROM node_profile")) {
      return rows.next() ? rows.getString(1) : "";
    }
  }
}
