package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The strategy can be seen and changed while the pool runs, and stays after a restart. */
class StrategyTest {
  private static final String PATH = "/api/v1/strategy";
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

  private Rest.Reply choose(String json) {
    return server.admin().putJson(PATH, json);
  }

  @Test
  void the_present_one_and_all_others_are_shown() {
    JsonNode view = server.admin().get(PATH).json();
    assertThat(view.get("available")).hasSizeGreaterThan(12);
    assertThat(view.get("available").findValuesAsText("name"))
        .contains("balanced", "survival", view.get("name").asText());
    for (JsonNode kind : view.get("available")) {
      assertThat(kind.get("summary").asText()).isNotBlank();
    }
  }

  @Test
  void a_chosen_one_stays_after_a_restart_with_its_parameters() {
    Rest.Reply reply =
        choose(
            "{\"name\":\"combined\",\"parameters\":{\"useUptimes\":\"yes\",\"fairLevel\":\"0.2\"}}");
    assertThat(reply.status()).isEqualTo(200);
    server.restart();
    JsonNode view = server.admin().get(PATH).json();
    assertThat(view.get("name").asText()).isEqualTo("combined");
    assertThat(view.at("/parameters/useUptimes").asText()).isEqualTo("yes");
    assertThat(view.at("/parameters/fairLevel").asText()).isEqualTo("0.2");
    assertThat(view.at("/parameters/doneRateLowBoost").asText()).isEqualTo("0.03");
    assertThat(view.get("text").asText()).isEqualTo("combined:fairLevel=0.2,useUptimes=yes");
  }

  @Test
  void work_goes_on_under_another_strategy() {
    long first = server.admin().submit("{\"command\":[\"x\"],\"project\":\"a\"}");
    long second = server.admin().submit("{\"command\":[\"y\"],\"project\":\"b\"}");
    choose("{\"name\":\"round-robin\"}");
    try (TestAgent agent = server.agent("a")) {
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
      agent.nextConfirmed();
    }
    assertThat(server.admin().job(first).get("status").asText()).isEqualTo("DONE");
    assertThat(server.admin().job(second).get("status").asText()).isEqualTo("DONE");
  }

  @Test
  void what_does_not_exist_is_refused_with_the_nearest_name() {
    Rest.Reply name = choose("{\"name\":\"balancd\"}");
    assertThat(name.status()).isEqualTo(400);
    assertThat(name.errorMessage()).contains("balancd").contains("balanced");
    Rest.Reply parameter = choose("{\"name\":\"combined\",\"parameters\":{\"fairLevl\":\"0.2\"}}");
    assertThat(parameter.status()).isEqualTo(400);
    assertThat(parameter.errorMessage()).contains("fairLevl").contains("fairLevel");
    Rest.Reply value = choose("{\"name\":\"combined\",\"parameters\":{\"fairLevel\":\"7\"}}");
    assertThat(value.status()).isEqualTo(400);
    assertThat(value.errorMessage()).contains("fairLevel=7");
    assertThat(choose("{\"name\":\"runtime:s=2\"}").status()).isEqualTo(400);
    assertThat(choose("{\"nam\":\"random\"}").errorMessage()).contains("Did you mean name?");
    assertThat(server.admin().get(PATH).json().get("name").asText()).isEqualTo("survival");
  }
}
