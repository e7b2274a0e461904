package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.coord.LeaseTimes;
import dev.imker.server.members.SharedPool;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that follows answers as the one that leads does, and both know what the database says.
 */
@ExpectedLogs({"^WARN ", "Memory and database differ: "})
class StandbyAnswersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final LeaseTimes PATIENT = new LeaseTimes(12_000, 120_000);
  private static final String TWO_STAGES =
      """
      {"name":"two","stages":[
        {"name":"first","command":["true"],"sweep":[{"name":"n","range":{"from":1,"to":5}}]},
        {"name":"then","command":["true"],"after":[{"stage":"first"}]}]}
      """;
  private static final String NOOPS =
      "{\"name\":\"five\",\"kind\":\"NOOP\",\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":5}}]}";

  @TempDir Path folder;
  private final String database = TestPostgres.freshDatabase();
  private TestServer leader;
  private TestServer standby;

  @BeforeEach
  void start() {
    leader = server("leader");
    await().atMost(PATIENCE).until(() -> leads(leader));
    standby = server("standby");
  }

  @AfterEach
  void stop() {
    standby.close();
    leader.close();
  }

  private TestServer server(String name) {
    return TestServer.start(
        TestServer.settings(folder.resolve(name))
            .withShared(SharedPool.of(database).withLease(PATIENT)));
  }

  private static boolean leads(TestServer server) {
    return server.admin().get("/api/v1/pool").status() == 200;
  }

  private static JsonNode get(TestServer server, String path) {
    Rest.Reply reply = server.admin().get(path);
    assertThat(reply.status()).as(path + ": " + reply).isEqualTo(200);
    return reply.json();
  }

  private JsonNode ofStandby(String path) {
    Rest.Reply reply = standby.admin().get(path);
    assertThat(reply.status()).as(path + ": " + reply).isEqualTo(200);
    assertThat(reply.headers().firstValue("Imker-Position")).as(path).isPresent();
    return reply.json();
  }

  private long submit(String job) {
    Rest.Reply reply = leader.admin().post("/api/v1/jobs", job);
    assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
    return reply.json().get("id").asLong();
  }

  @Test
  void nodes_overview_graph_and_explanation_are_the_leaders() throws Exception {
    try (TestAgent _ = leader.agent("lent")) {
      long job = submit(NOOPS); // two of five are taken, and do not end
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                JsonNode node = facts(get(leader, "/api/v1/nodes").get("nodes").get(0));
                assertThat(node.get("running").asInt()).isEqualTo(2);
                assertThat(facts(ofStandby("/api/v1/nodes").get("nodes").get(0))).isEqualTo(node);
                String id = node.get("id").asText();
                assertThat(facts(ofStandby("/api/v1/nodes/" + id))).isEqualTo(node);
              });
      String ready = "/api/v1/tasks/" + job + ".5/explain";
      assertThat(ofStandby(ready).get("text")).isEqualTo(get(leader, ready).get("text"));
      long graph = submit(TWO_STAGES);
      String path = "/api/v1/jobs/" + graph + "/graph";
      assertThat(ofStandby(path)).isEqualTo(get(leader, path));
      assertThat(ofStandby(path).get("stages")).hasSize(2);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                JsonNode beats = ofStandby("/api/v1/overview").get("beats");
                JsonNode last = beats.get(beats.size() - 1);
                assertThat(last.get("running").asInt()).isEqualTo(2);
                assertThat(last.get("slots").asInt()).isEqualTo(2);
                assertThat(last.get("agents").asInt()).isEqualTo(1);
              });
    }
    await()
        .atMost(PATIENCE)
        .until(() -> !ofStandby("/api/v1/nodes").get("nodes").get(0).get("connected").asBoolean());
  }

  @Test
  void an_agent_of_which_a_later_version_wrote_is_left_out_and_all_else_is_answered()
      throws Exception {
    try (TestAgent _ = leader.agent("lent");
        Connection own = DriverManager.getConnection(database);
        Statement statement = own.createStatement()) {
      String other = "UPDATE setting SET value = '{\"form\":2}' WHERE name LIKE 'agent-standing/%'";
      await().atMost(PATIENCE).until(() -> statement.executeUpdate(other) == 1);
      long job = submit(NOOPS);
      assertThat(ofStandby("/api/v1/jobs/" + job).get("id").asLong()).isEqualTo(job);
    }
  }

  /** Without statistics, which are written every now and then. */
  private static JsonNode facts(JsonNode node) {
    ObjectNode facts = node.deepCopy();
    facts.remove("profile");
    return facts;
  }

  @Test
  void overview_counts_what_has_ended() throws Exception {
    try (TestAgent _ = leader.succeedingAgent("quick")) {
      await().atMost(PATIENCE).until(() -> ofStandby("/api/v1/overview").get("beats").size() > 0);
      submit(NOOPS);
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                JsonNode beats = ofStandby("/api/v1/overview").get("beats");
                return beats.get(beats.size() - 1).get("done").asInt() == 5;
              });
    }
  }

  @Test
  void memory_of_both_is_what_the_database_says_while_work_goes_on() throws Exception {
    try (TestAgent _ = leader.succeedingAgent("quick")) {
      for (int i = 0; i < 5; i++) {
        submit(NOOPS);
        for (TestServer server : List.of(leader, standby)) {
          JsonNode checked = get(server, "/api/v1/servers/check");
          assertThat(checked.get("differences")).isEmpty();
          assertThat(checked.get("leads").asBoolean()).isEqualTo(server == leader);
        }
      }
    }
  }

  @Test
  void change_that_nobody_was_told_of_is_found_on_both() throws Exception {
    try (TestAgent _ = leader.agent("lent")) {
      long job = submit(NOOPS);
      await()
          .atMost(PATIENCE)
          .until(
              () -> get(leader, "/api/v1/nodes").get("nodes").get(0).get("running").asInt() == 2);
      ofStandby("/api/v1/jobs/" + job);
      TestPostgres.execute(database, "UPDATE task SET losses = 7");
      for (TestServer server : List.of(standby, leader)) {
        JsonNode checked = get(server, "/api/v1/servers/check");
        assertThat(checked.get("differences")).as(checked.toString()).isNotEmpty();
        assertThat(checked.get("differences").get(0).asText())
            .startsWith("task " + job + ".1: ")
            .contains("RUNNING", "lost 7 times");
      }
      assertThat(get(standby, "/api/v1/servers/check").get("differences"))
          .as("it has read all again")
          .isEmpty();
    }
  }
}
