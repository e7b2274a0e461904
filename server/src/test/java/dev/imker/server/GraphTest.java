package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.wire.proto.Assignment;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stages and jobs that wait for each other, as callers see them. */
class GraphTest {
  private static final String TWO_STAGES =
      """
      {"stages":[
        {"name":"make","command":["make"],"sweep":[{"name":"n","values":["1","2"]}]},
        {"name":"sum","command":["sum"],"after":[{"stage":"make"}]}]}
      """;

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

  @Test
  void stages_run_one_after_the_other_across_a_restart() {
    long job = server.admin().submit(TWO_STAGES);
    assertThat(server.admin().job(job).at("/counts/waiting").asInt()).isEqualTo(1);
    try (TestAgent agent = server.agent("a")) {
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
      agent.nextConfirmed();
      Assignment last = agent.nextAssignment();
      assertThat(last.getStage()).isEqualTo(1);
      server.restart();
      assertThat(task(job, 3).get("stage").asText()).isEqualTo("sum");
      agent.finish(TestAgent.success(last));
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();
    }
    assertThat(server.admin().job(job).get("status").asText()).isEqualTo("DONE");
  }

  @Test
  void failed_predecessor_is_named_also_after_a_restart() {
    long job = server.admin().submit(TWO_STAGES);
    server.admin().post("/api/v1/jobs/" + job + "/cancel", "{\"from\":2,\"to\":2}");
    assertThat(task(job, 3).get("error").asText()).isEqualTo("predecessor " + job + ".2 failed");
    server.restart();
    assertThat(task(job, 3).get("state").asText()).isEqualTo("FAILED");
    assertThat(task(job, 3).get("error").asText()).isEqualTo("predecessor " + job + ".2 failed");
    server.admin().post("/api/v1/jobs/" + job + "/release", "");
    assertThat(task(job, 3).get("state").asText()).isEqualTo("WAITING");
    assertThat(task(job, 3).get("error").asText()).isEmpty();
  }

  @Test
  void tasks_are_asked_for_by_the_identifiers_that_their_user_gave_them() {
    String named =
        "{\"command\":[\"x\"],\"sweep\":[{\"name\":\"userIdentifier\",\"values\":[\"50%\",\"a_b\","
            + "\"say \\\"hi\\\"\"]}]}";
    server.admin().submit(named);
    long job = server.admin().submit(named);
    server.admin().submit("{\"command\":[\"userIdentifier\",\"a_b\"]}");
    assertThat(selected("@a_b")).isEqualTo(job + ".2");
    assertThat(selected("@50%25")).isEqualTo(job + ".1");
    assertThat(selected("@say%20%22hi%22")).isEqualTo(job + ".3");
    Rest.Reply none = server.admin().get("/api/v1/select?q=@axb");
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.text()).contains("no task with the identifier 'axb'");
    Rest stranger = new People(server).add("otto", "USER");
    assertThat(stranger.get("/api/v1/select?q=@a_b").status()).isEqualTo(404);
    long second = server.admin().submit("{\"command\":[\"y\"],\"after\":[{\"tasks\":\"@a_b\"}]}");
    JsonNode spec = server.admin().get("/api/v1/jobs/" + second + "?spec=true").json();
    assertThat(spec.at("/spec/stages/0/after/0/tasks").asText()).isEqualTo(job + ".2");
  }

  private String selected(String selector) {
    JsonNode part = server.admin().get("/api/v1/select?q=" + selector).json().at("/parts/0");
    return part.get("job").asText() + "." + part.get("first").asText();
  }

  @Test
  void job_waits_for_another_by_name_across_a_restart() {
    long first = server.admin().submit("{\"name\":\"nightly\",\"command\":[\"x\"]}");
    long second =
        server.admin().submit("{\"command\":[\"y\"],\"after\":[{\"tasks\":\"nightly\"}]}");
    JsonNode spec = server.admin().get("/api/v1/jobs/" + second + "?spec=true").json();
    assertThat(spec.at("/spec/stages/0/after/0/tasks").asText()).isEqualTo(first + ".1");
    server.restart();
    assertThat(task(second, 1).get("state").asText()).isEqualTo("WAITING");
    try (TestAgent agent = server.agent("a")) {
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
      server.restart();
      Assignment next = agent.nextAssignment();
      assertThat(next.getLease().getJob()).isEqualTo(second);
      agent.finish(TestAgent.success(next));
      agent.nextConfirmed();
    }
  }

  @Test
  void job_after_one_that_is_long_done_is_ready() {
    long first = server.admin().submit("{\"command\":[\"x\"]}");
    try (TestAgent agent = server.agent("a")) {
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
    }
    server.restart();
    long second =
        server.admin().submit("{\"command\":[\"y\"],\"after\":[{\"tasks\":\"" + first + "\"}]}");
    assertThat(server.admin().job(second).at("/counts/ready").asInt()).isEqualTo(1);
  }

  @Test
  void what_can_never_run_is_refused() {
    Rest.Reply cycle =
        server
            .admin()
            .post(
                "/api/v1/jobs",
                """
                {"stages":[
                  {"name":"a","command":["x"],"after":[{"stage":"b"}]},
                  {"name":"b","command":["x"],"after":[{"stage":"a"}]}]}
                """);
    assertThat(cycle.status()).isEqualTo(400);
    assertThat(cycle.errorMessage()).contains("a → b → a");
    Rest.Reply unknown =
        server
            .admin()
            .post("/api/v1/jobs", "{\"command\":[\"x\"],\"after\":[{\"tasks\":\"nothere\"}]}");
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.errorField()).isEqualTo("after[0].tasks");
    assertThat(unknown.errorMessage()).contains("no job named 'nothere'");
  }

  private JsonNode task(long job, int number) {
    return server.admin().get("/api/v1/tasks/" + job + "." + number).json();
  }
}
