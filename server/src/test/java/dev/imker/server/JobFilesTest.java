package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Job files over REST, and orders for many jobs. */
class JobFilesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path folder;
  private static TestServer server;
  private static Rest admin;

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
    admin = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static ObjectNode file(String yaml) {
    return JSON.createObjectNode().put("text", yaml).put("name", "page.yaml");
  }

  private static JsonNode check(ObjectNode body) {
    Rest.Reply reply = admin.post("/api/v1/jobfiles/check", body.toString());
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return reply.json();
  }

  @Test
  void a_file_is_explained() {
    JsonNode checked = check(file("command: echo ${n}\nsweep: {n: 1..500}"));
    assertThat(checked.path("valid").asBoolean()).isTrue();
    assertThat(checked.at("/jobs/0/tasks").asInt()).isEqualTo(500);
    assertThat(checked.at("/jobs/0/stages/0/last/0").asText()).isEqualTo("echo 500");
  }

  @Test
  void all_jobs_of_a_file_are_submitted_or_none() {
    long newest = admin.submit("{\"command\":[\"x\"]}");
    Rest.Reply refused =
        admin.post(
            "/api/v1/jobfiles",
            file("name: one\ncommand: x\n---\nname: two\ncommand: y\nafter: {tasks: nobody}")
                .toString());
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.errorField()).isEqualTo("jobs[1].after[0].tasks");
    assertThat(refused.errorMessage()).contains("Job 2 of 2 (two)").contains("nobody");
    assertThat(admin.get("/api/v1/jobs?limit=1").json().at("/jobs/0/id").asLong())
        .isEqualTo(newest);
    Rest.Reply both =
        admin.post(
            "/api/v1/jobfiles",
            file("name: one\ncommand: x\n---\nname: two\ncommand: y\nafter: {tasks: one}")
                .toString());
    assertThat(both.status()).as(both.text()).isEqualTo(201);
    JsonNode two =
        admin.get("/api/v1/jobs/" + both.json().at("/jobs/1/id").asLong() + "?spec=true").json();
    assertThat(two.at("/spec/stages/0/after/0/tasks").asText())
        .startsWith(both.json().at("/jobs/0/id").asText());
    assertThat(two.path("status").asText()).isEqualTo("WAITING");
  }

  @Test
  void jobs_sent_together_twice_are_there_once() {
    String body = "{\"jobs\":[{\"command\":[\"x\"]},{\"command\":[\"y\"]}]}";
    Rest.Reply first = admin.post("/api/v1/jobs/batch", body, "Idempotency-Key", "together");
    Rest.Reply second = admin.post("/api/v1/jobs/batch", body, "Idempotency-Key", "together");
    assertThat(first.status()).as(first.text()).isEqualTo(201);
    assertThat(second.json().at("/jobs/1/id")).isEqualTo(first.json().at("/jobs/1/id"));
    assertThat(admin.post("/api/v1/jobs/batch", "{\"jobs\":[]}").errorField()).isEqualTo("jobs");
    Rest.Reply wrong =
        admin.post("/api/v1/jobs/batch", "{\"jobs\":[{\"command\":[\"x\"]},{\"priority\":1}]}");
    assertThat(wrong.errorField()).startsWith("jobs[1]");
  }

  @Test
  void mistakes_are_told_with_their_places() {
    JsonNode checked = check(file("command: x\npriority: 10\nnedds: {os: linux}"));
    assertThat(checked.path("valid").asBoolean()).isFalse();
    assertThat(checked.path("findings")).hasSize(2);
    assertThat(checked.at("/findings/0/line").asInt()).isEqualTo(2);
    assertThat(checked.at("/findings/1/fix").asText()).isEqualTo("Did you mean needs?");
    assertThat(checked.path("jobs")).isEmpty();
  }

  @Test
  void files_that_nobody_listed_are_not_looked_for() {
    JsonNode checked = check(file("command: cat a.txt\ninputs: a.txt"));
    assertThat(checked.path("valid").asBoolean()).isTrue();
    assertThat(checked.at("/findings/0/severity").asText()).isEqualTo("WARNING");
    ObjectNode listed = file("command: cat a.txt\ninputs: [a.txt, '*.csv']");
    listed.putArray("files").addObject().put("path", "a.txt").put("size", 3);
    assertThat(check(listed).at("/findings/0/message").asText()).contains("'*.csv'");
  }

  @Test
  void a_file_with_uploads_is_submitted() {
    String table = admin.upload("n,m\n1,2\n3,4\n".getBytes(StandardCharsets.UTF_8));
    ObjectNode body =
        file(
            "command: run ${n} ${m} t.csv\nsweep: {csv: t.csv}\ninputs: t.csv\n---\nname: two\ncommand: y");
    body.putArray("files").addObject().put("path", "t.csv").put("size", 12).put("blob", table);
    Rest.Reply reply = admin.post("/api/v1/jobfiles", body.toString());
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    assertThat(reply.json().path("jobs")).hasSize(2);
    long first = reply.json().at("/jobs/0/id").asLong();
    JsonNode spec = admin.get("/api/v1/jobs/" + first + "?spec=true").json().path("spec");
    assertThat(spec.at("/stages/0/inputs/0/path").asText()).isEqualTo("t.csv");
    assertThat(reply.json().at("/jobs/0/tasks").asInt()).isEqualTo(2);
    assertThat(reply.json().at("/jobs/1/name").asText()).isEqualTo("two");
  }

  @Test
  void a_wrong_file_is_refused() {
    Rest.Reply reply = admin.post("/api/v1/jobfiles", file("priority: x").toString());
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.errorMessage()).contains("page.yaml:1:1");
  }

  // ---------------------------------------------------------------- many at once

  private static long submit(String name, String project, int tasks) {
    return admin.submit(
        """
        {"name":"%s","project":"%s","command":["x ${n}"],
         "sweep":[{"name":"n","range":{"from":1,"to":%d}}]}"""
            .formatted(name, project, tasks));
  }

  private static JsonNode bulk(String json) {
    Rest.Reply reply = admin.post("/api/v1/bulk", json);
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return reply.json();
  }

  @Test
  void orders_reach_exactly_what_the_filter_lets_pass() {
    long one = submit("bulk-one", "bulk", 10);
    long two = submit("bulk-two", "bulk", 20);
    submit("bulk-three", "others", 30);
    admin.post("/api/v1/jobs/" + two + "/block", "{\"from\":5,\"to\":8}");
    assertThat(
            bulk("{\"action\":\"cancel\",\"filter\":{\"project\":\"bulk\",\"states\":[\"ready\"]},\"dryRun\":true}")
                .path("tasks")
                .asInt())
        .isEqualTo(26);
    JsonNode done =
        bulk("{\"action\":\"cancel\",\"filter\":{\"project\":\"bulk\",\"states\":[\"READY\"]}}");
    assertThat(done.path("jobs").asInt()).isEqualTo(2);
    assertThat(done.path("tasks").asInt()).isEqualTo(26);
    assertThat(admin.job(one).path("status").asText()).isEqualTo("CANCELLED");
    assertThat(admin.job(two).at("/counts/blocked").asInt()).isEqualTo(4);
    assertThat(
            bulk("{\"action\":\"release\",\"filter\":{\"name\":\"bulk-t*\"}}")
                .path("tasks")
                .asInt())
        .isEqualTo(4);
    assertThat(
            bulk("{\"action\":\"priority\",\"priority\":8,\"filter\":{\"name\":\"bulk-two\"}}")
                .path("jobs")
                .asInt())
        .isEqualTo(1);
    assertThat(admin.job(two).path("priority").asInt()).isEqualTo(8);
  }

  @Test
  void what_did_not_change_is_not_sent_again() {
    String path = "/api/v1/jobs/" + submit("tagged", "tags", 3) + "?spec=true";
    String tag = admin.get(path).headers().firstValue("ETag").orElseThrow();
    Rest.Reply same = admin.send(admin.request(path).header("If-None-Match", tag).GET());
    assertThat(same.status()).isEqualTo(304);
    assertThat(same.body()).isEmpty();
    admin.post(path.replace("?spec=true", "/cancel"), "{\"from\":1,\"to\":1}");
    Rest.Reply changed = admin.send(admin.request(path).header("If-None-Match", tag).GET());
    assertThat(changed.status()).isEqualTo(200);
  }

  @Test
  void what_runs_is_listed_from_memory() {
    long job = submit("runs", "runners", 5);
    try (TestAgent agent = server.agent("runner")) {
      var first = agent.nextAssignment();
      JsonNode page = admin.get("/api/v1/jobs/" + job + "/tasks?state=RUNNING&limit=10").json();
      assertThat(page.path("tasks")).isNotEmpty();
      assertThat(page.path("tasks")).allMatch(t -> t.path("state").asText().equals("RUNNING"));
      agent.finish(TestAgent.success(first));
      agent.nextConfirmed();
    }
    bulk("{\"action\":\"cancel\",\"filter\":{\"project\":\"runners\"}}");
  }

  @Test
  void an_empty_filter_is_refused() {
    Rest.Reply reply = admin.post("/api/v1/bulk", "{\"action\":\"cancel\",\"filter\":{}}");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.errorField()).isEqualTo("filter");
  }
}
