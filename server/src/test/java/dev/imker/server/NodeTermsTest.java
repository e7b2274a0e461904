package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Admins pause, drain and restrict nodes; that is kept, told, and explained. */
class NodeTermsTest {
  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Rest.Reply order(String node, String json) {
    return server.admin().post("/api/v1/nodes/" + node + "/terms", json);
  }

  private static String explain(long job) {
    return server.admin().get("/api/v1/tasks/" + job + ".1/explain").json().path("text").asText();
  }

  private static JsonNode figures(String query) {
    return server.admin().get("/api/v1/figures/nodes" + query).json();
  }

  @Test
  void a_pause_reaches_the_agent_outlives_the_server_and_is_explained() {
    try (TestAgent agent = server.agent("p")) {
      assertThat(agent.nextWelcome().getPause()).isEmpty();
      JsonNode node = order("p", "{\"paused\":true,\"why\":\"new disk\"}").json();
      assertThat(node.at("/terms/paused/by").asText()).isEqualTo("admin");
      assertThat(node.at("/terms/paused/why").asText()).isEqualTo("new disk");
      assertThat(agent.nextPause().getWhy()).isEqualTo("by admin: new disk");
      long job = server.admin().submit("{\"command\":[\"x\"],\"rules\":{\"pin\":\"node-p\"}}");
      assertThat(explain(job)).contains("p: is paused by admin: new disk");
      server.restart();
      assertThat(agent.nextWelcome().getPause()).isEqualTo("by admin: new disk");
      assertThat(figures("?state=paused&name=p").at("/rows/0/2").asText()).isEqualTo("paused");
      assertThat(agent.waitingAssignments()).isEmpty();
      order("p", "{\"paused\":false}");
      assertThat(agent.nextPause().getWhy()).isEmpty();
      agent.finish(TestAgent.success(agent.nextAssignment()));
    }
  }

  @Test
  void a_drained_node_gets_nothing_after_a_reconnect_either() {
    long job = 0;
    try (TestAgent agent = server.agent("d")) {
      agent.nextWelcome();
      order("d", "{\"draining\":true}");
      job = server.admin().submit("{\"command\":[\"x\"],\"rules\":{\"pin\":\"node-d\"}}");
    }
    try (TestAgent agent = server.agent("d")) {
      agent.nextWelcome();
      assertThat(explain(job)).contains("d: is draining and takes no more tasks, by admin");
      assertThat(server.admin().get("/api/v1/nodes/d/explain").json().path("text").asText())
          .contains("It is draining and takes no more tasks, by admin");
      assertThat(order("d", "{\"draining\":false}").json().at("/terms/draining").isNull()).isTrue();
      agent.finish(TestAgent.success(agent.nextAssignment()));
    }
  }

  @Test
  void a_restricted_node_says_what_it_is_for() {
    try (TestAgent agent = server.agent("r")) {
      agent.nextWelcome();
      JsonNode node =
          order(
                  "r",
                  "{\"restriction\":{\"serves\":[\"eve\"],\"kinds\":[\"java\"],\"cores\":1},\"why\":\"hers\"}")
              .json();
      assertThat(node.at("/terms/restriction/serves/0").asText()).isEqualTo("eve");
      assertThat(node.at("/terms/restriction/kinds/0").asText()).isEqualTo("java");
      long job =
          server
              .admin()
              .submit(
                  "{\"command\":[\"x\"],\"rules\":{\"pin\":\"node-r\"},\"needs\":{\"alternatives\":[{\"cores\":2}]}}");
      assertThat(explain(job))
          .contains(
              "needs 2 cores, has 1",
              "is used only for eve, by admin: hers",
              "is used only for jobs of the kind java, not command, by admin: hers");
      assertThat(server.admin().get("/api/v1/nodes/r/explain").json().path("text").asText())
          .contains("used only for eve, for jobs of the kind java, with at most 1 cores");
      assertThat(order("r", "{\"restriction\":{}}").json().at("/terms/restriction").isNull())
          .isTrue();
      agent.finish(TestAgent.success(agent.nextAssignment()));
    }
  }

  @Test
  void what_makes_no_sense_is_refused_and_changes_nothing() {
    try (TestAgent agent = server.agent("w")) {
      agent.nextWelcome();
      assertThat(order("nowhere", "{\"paused\":true}").status()).isEqualTo(404);
      assertThat(order("w", "{\"paused\":\"yes\"}").errorField()).isEqualTo("paused");
      assertThat(order("w", "{\"restriction\":{\"serves\":[\"a b\"]}}").errorField())
          .isEqualTo("restriction.serves[0]");
      assertThat(order("w", "{\"restriction\":{\"kinds\":[\"cobol\"]}}").errorField())
          .isEqualTo("restriction.kinds[0]");
      assertThat(order("w", "{\"why\":\"" + "x".repeat(201) + "\"}").errorField()).isEqualTo("why");
      assertThat(server.admin().get("/api/v1/nodes/w").json().path("terms").toString())
          .isEqualTo(
              "{\"paused\":null,\"draining\":null,\"restriction\":null,\"unsandboxed\":null}");
    }
  }

  @Test
  void figures_come_in_parts_sorted_on_the_server() {
    try (TestAgent first = TestAgent.connect(server.running().joinToken(), "fig-1", 1);
        TestAgent second = TestAgent.connect(server.running().joinToken(), "fig-2", 3)) {
      first.nextWelcome();
      second.nextWelcome();
      JsonNode page = figures("?name=FIG&sort=-name&limit=1");
      assertThat(page.path("total").asInt()).isEqualTo(2);
      assertThat(page.path("rows")).hasSize(1);
      assertThat(page.at("/rows/0/1").asText()).isEqualTo("host-fig-2");
      assertThat(figures("?name=fig&sort=-name&offset=1").at("/rows/0/1").asText())
          .isEqualTo("host-fig-1");
      assertThat(page.at("/all/connected").asInt()).isGreaterThanOrEqualTo(2);
      JsonNode spread = server.admin().get("/api/v1/figures/spread").json();
      assertThat(spread.at("/reliability/0/count").asInt()).isPositive();
    }
  }
}
