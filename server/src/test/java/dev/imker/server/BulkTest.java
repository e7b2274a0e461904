package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many jobs changed and deleted at once, each user's own only. */
class BulkTest {
  @TempDir static Path folder;
  private static TestServer server;
  private static Rest eva;
  private static Rest otto;
  private static long done;

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
    People people = new People(server);
    eva = people.add("eva", "USER");
    otto = people.add("otto", "USER");
    done = eva.submit("{\"project\":\"graph\",\"command\":[\"x\"]}");
    try (TestAgent agent = server.agent("a")) {
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static long submit(Rest who, String project) {
    return who.submit(
        """
        {"project":"%s","command":["x ${n}"],"sweep":[{"name":"n","range":{"from":1,"to":3}}]}"""
            .formatted(project));
  }

  private static Rest.Reply bulk(Rest who, String action, String filter) {
    return who.post(
        "/api/v1/bulk", "{\"action\":\"%s\",\"filter\":{%s}}".formatted(action, filter));
  }

  private static void cancel(Rest who, long job) {
    assertThat(who.post("/api/v1/jobs/" + job + "/cancel", "{}").status()).isEqualTo(200);
  }

  private static Rest.Reply delete(Rest who, long job) {
    return who.method("DELETE", "/api/v1/jobs/" + job);
  }

  private static String status(Rest who, long job) {
    return who.job(job).path("status").asText();
  }

  @Test
  void just_those_jobs_are_meant_that_were_counted() {
    long first = submit(eva, "counted");
    long second = submit(eva, "counted");
    long between = submit(eva, "other");
    long third = submit(eva, "counted");
    String filter = "\"project\":\"counted\"";
    JsonNode counted =
        eva.post(
                "/api/v1/bulk",
                "{\"action\":\"cancel\",\"dryRun\":true,\"filter\":{%s}}".formatted(filter))
            .json();
    assertThat(counted.path("among").asText())
        .isEqualTo("%d-%d,%d".formatted(first, second, third));
    long later = submit(eva, "counted");
    String among = ",\"among\":\"" + counted.path("among").asText() + "\"";
    assertThat(bulk(eva, "cancel", filter + among).json().path("jobs").asInt()).isEqualTo(3);
    for (long job : new long[] {between, later}) {
      assertThat(status(eva, job)).isEqualTo("QUEUED");
      cancel(eva, job);
    }
    assertThat(bulk(eva, "cancel", filter + ",\"among\":\"3-\"").text())
        .contains("filter.among: '3-' is not a job number");
  }

  @Test
  void users_cancel_their_own_work_only() {
    long hers = submit(eva, "night");
    long his = submit(otto, "night");
    JsonNode answer = bulk(eva, "cancel", "\"project\":\"night\"").json();
    assertThat(answer.toString()).isEqualTo("{\"jobs\":1,\"tasks\":3,\"kept\":0}");
    assertThat(status(eva, hers)).isEqualTo("CANCELLED");
    assertThat(status(otto, his)).isEqualTo("QUEUED");
    assertThat(bulk(eva, "cancel", "\"user\":\"otto\"").json().path("jobs").asInt()).isZero();
    assertThat(status(otto, his)).isEqualTo("QUEUED");
    assertThat(bulk(server.admin(), "cancel", "\"project\":\"night\"").json().path("jobs").asInt())
        .isEqualTo(1);
    assertThat(status(otto, his)).isEqualTo("CANCELLED");
  }

  @Test
  void finished_jobs_are_deleted_open_ones_stay() {
    long finished = submit(eva, "old");
    long open = submit(eva, "old");
    cancel(eva, finished);
    assertThat(delete(eva, open).errorCode()).isEqualTo("not_finished");
    assertThat(
            eva.post(
                    "/api/v1/bulk",
                    "{\"action\":\"delete\",\"dryRun\":true,\"filter\":{\"project\":\"old\"}}")
                .json()
                .path("jobs")
                .asInt())
        .isEqualTo(1);
    assertThat(bulk(eva, "delete", "\"project\":\"old\"").json().path("jobs").asInt()).isEqualTo(1);
    assertThat(eva.get("/api/v1/jobs/" + finished).status()).isEqualTo(404);
    assertThat(eva.get("/api/v1/jobs/" + finished + "/tasks").status()).isEqualTo(404);
    assertThat(status(eva, open)).isEqualTo("QUEUED");
    cancel(eva, open);
    assertThat(delete(eva, open).status()).isEqualTo(204);
    assertThat(delete(eva, open).status()).isEqualTo(404);
  }

  @Test
  void a_job_that_others_wait_for_is_not_deleted_and_the_answer_names_them() {
    long second =
        eva.submit(
            "{\"project\":\"graph\",\"stages\":[{\"name\":\"s\",\"command\":[\"x\"],"
                + "\"after\":[{\"tasks\":\"%d\"}]}]}".formatted(done));
    Rest.Reply reply = delete(eva, done);
    assertThat(reply.errorCode()).isEqualTo("needed");
    assertThat(reply.errorMessage()).contains("Job " + second + " depends on job " + done);
    JsonNode kept = bulk(eva, "delete", "\"project\":\"graph\"").json();
    assertThat(kept.toString()).isEqualTo("{\"jobs\":0,\"tasks\":0,\"kept\":1}");
    cancel(eva, second);
    assertThat(bulk(eva, "delete", "\"project\":\"graph\"").json().path("jobs").asInt())
        .isEqualTo(2);
  }

  @Test
  void limits_are_set_for_jobs_that_have_tasks_in_a_state() {
    long blocked = submit(eva, "limits");
    eva.post("/api/v1/jobs/" + blocked + "/block", "{}");
    long ready = submit(eva, "limits");
    JsonNode answer =
        eva.post(
                "/api/v1/bulk",
                "{\"action\":\"set\",\"set\":{\"priority\":7,\"maxFailures\":2},"
                    + "\"filter\":{\"project\":\"limits\",\"states\":[\"READY\"]}}")
            .json();
    assertThat(answer.path("jobs").asInt()).isEqualTo(1);
    assertThat(eva.job(ready).path("priority").asInt()).isEqualTo(7);
    JsonNode spec = eva.get("/api/v1/jobs/" + ready + "?spec=true").json();
    assertThat(spec.at("/spec/stages/0/rules/maxFailures").asInt()).isEqualTo(2);
    assertThat(eva.job(blocked).path("priority").asInt()).isEqualTo(4);
    assertThat(
            eva.post("/api/v1/bulk", "{\"action\":\"set\",\"set\":{},\"filter\":{\"all\":true}}")
                .status())
        .isEqualTo(400);
  }

  @Test
  void the_history_of_a_user_has_own_work_only() {
    assertThat(otto.get("/api/v1/history").json().path("jobs").findValuesAsText("user"))
        .doesNotContain("eva");
  }
}
