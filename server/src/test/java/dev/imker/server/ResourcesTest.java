package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What exists once for all machines, and what machines show of their amounts. */
class ResourcesTest {
  @TempDir Path folder;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Rest.Reply set(String name, String amount) {
    return server.admin().putJson("/api/v1/resources/" + name, "{\"amount\":" + amount + "}");
  }

  private static String job(String need, int tasks) {
    return "{\"command\":[\"x\"],\"rules\":{\"speculative\":false},\"needs\":{\"alternatives\":[{"
        + need
        + "}]},\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":"
        + tasks
        + "}}]}";
  }

  @Test
  void licences_are_counted_over_all_machines_and_survive_a_restart() {
    assertThat(set("matlab", "3").status()).isEqualTo(200);
    server.restart();
    try (TestAgent one = server.agent("a");
        TestAgent two = server.agent("b")) {
      one.nextWelcome();
      two.nextWelcome();
      server.admin().submit(job("\"cores\":0.5,\"resources\":{\"matlab\":1}", 8));
      await()
          .untilAsserted(
              () -> {
                JsonNode matlab = server.admin().get("/api/v1/resources").json().at("/resources/0");
                assertThat(matlab.get("name").asText()).isEqualTo("matlab");
                assertThat(matlab.get("amount").toString()).isEqualTo("3");
                assertThat(matlab.get("used").toString()).isEqualTo("3");
                assertThat(matlab.at("/usedBy/0/tasks").asInt()).isEqualTo(3);
                assertThat(one.heldCount() + two.heldCount()).isEqualTo(3);
              });
    }
    assertThat(server.admin().method("DELETE", "/api/v1/resources/matlab").status()).isEqualTo(204);
    assertThat(server.admin().method("DELETE", "/api/v1/resources/matlab").status()).isEqualTo(404);
  }

  @Test
  void memory_is_left_to_the_pool_where_an_admin_says_so_and_a_task_says_nothing() {
    assertThat(server.admin().putJson("/api/v1/settings", "{\"tasks.memory\":\"much\"}").status())
        .isEqualTo(400);
    long before = server.admin().submit(job("\"cores\":2", 1));
    assertThat(server.admin().putJson("/api/v1/settings", "{\"tasks.memory\":\"auto\"}").status())
        .isEqualTo(200);
    assertThat(isAuto(before)).isFalse();
    assertThat(isAuto(server.admin().submit("{\"command\":[\"x\"]}"))).isTrue();
    long sized = server.admin().submit(job("\"cores\":2", 1));
    assertThat(isAuto(sized)).isTrue();
    assertThat(need(sized).path("cores").asDouble()).isEqualTo(2);
    assertThat(isAuto(server.admin().submit(job("\"memoryBytes\":1000000", 1)))).isFalse();
    assertThat(isAuto(server.admin().submit("{\"kind\":\"NOOP\"}"))).isFalse();
    server.admin().putJson("/api/v1/settings", "{\"tasks.memory\":\"\"}");
    assertThat(isAuto(server.admin().submit("{\"command\":[\"x\"]}"))).isFalse();
  }

  private boolean isAuto(long job) {
    return need(job).path("autoMemory").asBoolean();
  }

  private JsonNode need(long job) {
    return server
        .admin()
        .get("/api/v1/jobs/" + job + "?spec=true")
        .json()
        .at("/spec/stages/0/needs/alternatives/0");
  }

  @Test
  void machines_show_what_is_taken_of_what_they_have() {
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      server.admin().submit(job("\"cores\":2.5,\"memoryBytes\":1073741824", 1));
      agent.nextAssignment();
      JsonNode amounts = server.admin().get("/api/v1/nodes/host-a").json().get("amounts");
      assertThat(amounts.at("/cores/has").toString()).isEqualTo("64");
      assertThat(amounts.at("/cores/taken").toString()).isEqualTo("2.5");
      assertThat(amounts.at("/memory/taken").asLong()).isEqualTo(1L << 30);
    }
  }

  @Test
  void a_task_shows_what_it_was_given() {
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      long plain = server.admin().submit("{\"command\":[\"x\"]}");
      agent.nextAssignment();
      assertThat(had(plain).toString()).isEqualTo("{\"amounts\":{\"cores\":1}}");
      long large =
          server.admin().submit(job("\"gpus\":1},{\"cores\":2.5,\"memoryBytes\":1073741824", 1));
      agent.nextAssignment();
      assertThat(had(large).get("alternative").asInt()).isEqualTo(2);
      assertThat(had(large).at("/amounts/cores").toString()).isEqualTo("2.5");
      assertThat(had(large).at("/amounts/memory").asLong()).isEqualTo(1L << 30);
    }
  }

  private JsonNode had(long job) {
    JsonNode task = server.admin().get("/api/v1/tasks/" + job + ".1").json();
    return task.at("/attemptHistory/0/had");
  }

  @Test
  void nonsense_is_refused() {
    assertThat(set("matlab", "0").errorField()).isEqualTo("amount");
    assertThat(set("matlab", "-1").errorField()).isEqualTo("amount");
    assertThat(set("matlab", "0.001").errorField()).isEqualTo("amount");
    assertThat(set("matlab", "1e12").errorField()).isEqualTo("amount");
    assertThat(set("matlab", "\"many\"").errorField()).isEqualTo("amount");
    assertThat(set("cores", "1").errorField()).isEqualTo("name");
    assertThat(set("a%20b", "1").errorField()).isEqualTo("name");
    Rest.Reply unknown = server.admin().post("/api/v1/jobs", job("\"resources\":{\"laser\":1}", 1));
    assertThat(unknown.status()).isEqualTo(409);
    assertThat(unknown.text()).contains("Nobody has 'laser'");
    assertThat(server.admin().get("/api/v1/jobs").json().get("jobs")).isEmpty();
  }
}
