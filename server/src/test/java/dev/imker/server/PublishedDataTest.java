package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.ResultFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results that one job publishes under a name, and others wait for. */
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class PublishedDataTest {
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

  private long publisher(String name) {
    return server
        .admin()
        .submit(
            """
            {"stages":[
              {"name":"a","command":["a"],"outputs":["*"],"rules":{"publish":"%s"},
               "sweep":[{"name":"n","values":["1","2"]}]},
              {"name":"b","command":["b"],"after":[{"stage":"a"}]}]}
            """
                .formatted(name));
  }

  private static String consumer(String data) {
    return """
    {"stages":[
      {"name":"free","command":["free"]},
      {"name":"sum","command":["sum"],
       "dataInputs":[{"from":{"data":"%s"},"into":"in/${n}"}]}]}
    """
        .formatted(data);
  }

  private Finished done(Assignment task, String content) {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    return TestAgent.done(task)
        .addResults(
            ResultFile.newBuilder()
                .setPath("r.txt")
                .setSha256(server.admin().upload(bytes))
                .setSize(bytes.length))
        .build();
  }

  /** Runs both tasks that publish, and the one that follows them. */
  private void run(TestAgent agent, long job, String content) {
    for (int i = 0; i < 3; i++) {
      Assignment task = agent.nextAssignment();
      assertThat(task.getLease().getJob()).isEqualTo(job);
      agent.finish(done(task, content + i));
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();
    }
  }

  private String state(long job, int task) {
    return server.admin().get("/api/v1/tasks/" + job + "." + task).json().get("state").asText();
  }

  private String explained(long job, int task) {
    return server.admin().get("/api/v1/tasks/" + job + "." + task + "/explain").json().toString();
  }

  @Test
  void stage_waits_until_another_job_publishes_what_it_needs_also_over_a_restart() {
    long waiting = server.admin().submit(consumer("rain"));
    try (TestAgent agent = server.agent("a")) {
      Assignment free = agent.nextAssignment();
      assertThat(free.getLease().getIndex()).isZero();
      agent.finish(TestAgent.success(free));
      agent.nextConfirmed();
    }
    assertThat(state(waiting, 2)).isEqualTo("WAITING");
    assertThat(explained(waiting, 2)).contains("data 'rain'", "published");
    server.restart();
    assertThat(state(waiting, 2)).isEqualTo("WAITING");
    try (TestAgent agent = server.agent("a")) {
      long publishing = publisher("rain");
      agent.finish(done(agent.nextAssignment(), "0"));
      agent.nextConfirmed();
      assertThat(state(waiting, 2)).isEqualTo("WAITING");
      agent.finish(done(agent.nextAssignment(), "1"));
      agent.nextConfirmed();
      Assignment sum = nextOf(agent, waiting);
      assertThat(sum.getInputsList().stream().map(file -> file.getPath()))
          .containsExactly("in/1/r.txt", "in/2/r.txt");
      JsonNode view = server.admin().get("/api/v1/jobs/" + waiting + "?spec=true").json();
      assertThat(view.at("/spec/stages/1/dataInputs/0/from/data").asText()).isEqualTo("rain@1");
      assertThat(view.at("/spec/stages/1/dataInputs/0/from/tasks").asText())
          .isEqualTo(publishing + ".1..2");
      JsonNode made = server.admin().get("/api/v1/jobs/" + publishing + "?spec=true").json();
      assertThat(made.at("/published/0").asText()).isEqualTo("rain@1");
      assertThat(server.admin().method("DELETE", "/api/v1/jobs/" + publishing).status())
          .isEqualTo(409);
    }
  }

  private static Assignment nextOf(TestAgent agent, long job) {
    Assignment next = agent.nextAssignment();
    while (next.getLease().getJob() != job) {
      next = agent.nextAssignment();
    }
    return next;
  }

  @Test
  void the_newest_version_is_taken_unless_a_certain_one_is_wanted() {
    try (TestAgent agent = server.agent("a")) {
      run(agent, publisher("rain"), "old");
      run(agent, publisher("rain"), "new");
    }
    server.restart();
    assertThat(taken("rain")).isEqualTo("rain@2");
    assertThat(taken("rain@1")).isEqualTo("rain@1");
    long third = server.admin().submit(consumer("rain@3"));
    long newest = publisher("rain");
    try (TestAgent agent = server.agent("b")) {
      agent.finishAll(task -> done(task, "x"));
      for (int i = 0; i < 5; i++) {
        assertThat(agent.nextConfirmed().getAccepted()).isTrue();
      }
    }
    JsonNode view = server.admin().get("/api/v1/jobs/" + third + "?spec=true").json();
    assertThat(view.get("status").asText()).isEqualTo("DONE");
    assertThat(view.at("/spec/stages/1/dataInputs/0/from/tasks").asText())
        .isEqualTo(newest + ".1..2");
  }

  private String taken(String data) {
    long job = server.admin().submit(consumer(data));
    JsonNode view = server.admin().get("/api/v1/jobs/" + job + "?spec=true").json();
    assertThat(server.admin().post("/api/v1/jobs/" + job + "/cancel", "{}").status())
        .isEqualTo(200);
    return view.at("/spec/stages/1/dataInputs/0/from/data").asText();
  }

  @Test
  void removed_versions_are_gone_and_their_numbers_do_not_come_again() {
    long first;
    try (TestAgent agent = server.agent("a")) {
      first = publisher("rain");
      run(agent, first, "old");
    }
    assertThat(server.admin().method("DELETE", "/api/v1/jobs/" + first).status()).isLessThan(300);
    Rest.Reply reply = server.admin().post("/api/v1/jobs", consumer("rain@1"));
    assertThat(reply.status()).isBetween(400, 499);
    assertThat(reply.text()).contains("Version 1 of the data 'rain' is gone");
    server.restart();
    long second;
    try (TestAgent agent = server.agent("b")) {
      second = publisher("rain");
      run(agent, second, "new");
    }
    JsonNode made = server.admin().get("/api/v1/jobs/" + second + "?spec=true").json();
    assertThat(made.at("/published/0").asText()).isEqualTo("rain@2");
  }

  @Test
  void jobs_that_would_wait_for_each_other_are_refused_with_the_circle() {
    String one =
        "{\"name\":\"one\",\"command\":[\"x\"],\"rules\":{\"publish\":\"%s\"},\"after\":[{\"data\":\"%s\"}]}";
    long first = server.admin().submit(one.formatted("sun", "rain"));
    Rest.Reply reply = server.admin().post("/api/v1/jobs", one.formatted("rain", "sun"));
    assertThat(reply.status()).isBetween(400, 499);
    assertThat(reply.text())
        .contains("wait for each other", "data 'rain'", "data 'sun'", "job " + first);
    Rest.Reply inside =
        server
            .admin()
            .post(
                "/api/v1/jobs",
                """
                {"stages":[
                  {"name":"a","command":["x"],"rules":{"publish":"p"},"after":[{"data":"q"}]},
                  {"name":"b","command":["x"],"rules":{"publish":"q"},"after":[{"data":"p"}]}]}
                """);
    assertThat(inside.text()).contains("These stages depend on each other: a → b → a");
  }

  @Test
  void jobs_submitted_together_that_would_wait_for_each_other_are_refused() {
    String one =
        "{\"name\":\"%s\",\"command\":[\"x\"],\"rules\":{\"publish\":\"%s\"},\"after\":[{\"data\":\"%s\"}]}";
    String circle =
        String.join(
            ",",
            one.formatted("a", "sun", "rain"),
            one.formatted("b", "wind", "sun"),
            one.formatted("c", "rain", "wind"));
    Rest.Reply reply = server.admin().post("/api/v1/jobs/batch", "{\"jobs\":[" + circle + "]}");
    assertThat(reply.status()).isBetween(400, 499);
    assertThat(reply.text())
        .contains("wait for each other", "data 'rain'", "data 'sun'", "job 'a' (number 1");
    assertThat(server.admin().get("/api/v1/jobs").json().get("jobs")).isEmpty();
    String chain = one.formatted("a", "sun", "rain") + "," + one.formatted("b", "wind", "sun");
    assertThat(server.admin().post("/api/v1/jobs/batch", "{\"jobs\":[" + chain + "]}").status())
        .isEqualTo(201);
  }

  @Test
  void a_circle_is_found_behind_stages_that_are_not_part_of_it() {
    long first =
        server
            .admin()
            .submit(
                """
                {"command":["x"],"rules":{"publish":"sun"},"after":[{"data":"rain"}]}
                """);
    Rest.Reply reply =
        server
            .admin()
            .post(
                "/api/v1/jobs",
                """
                {"stages":[
                  {"name":"aside","command":["x"],"after":[{"data":"sun"}]},
                  {"name":"b","command":["x"],"rules":{"publish":"rain"},"after":[{"data":"sun"}]}]}
                """);
    assertThat(reply.status()).isBetween(400, 499);
    assertThat(reply.text()).contains("wait for each other", "stage 'b'", "job " + first);
  }

  @Test
  void a_long_chain_of_stages_that_waits_and_publishes_is_accepted() {
    int stages = 10_000;
    StringBuilder chain = new StringBuilder("{\"stages\":[");
    chain.append("{\"name\":\"s0\",\"command\":[\"x\"],\"after\":[{\"data\":\"rain\"}]}");
    for (int i = 1; i < stages; i++) {
      chain.append(
          ",{\"name\":\"s%d\",\"command\":[\"x\"],\"after\":[{\"stage\":\"s%d\"}]%s}"
              .formatted(i, i - 1, i == stages - 1 ? ",\"rules\":{\"publish\":\"sun\"}" : ""));
    }
    long job = server.admin().submit(chain.append("]}").toString());
    Rest.Reply circle =
        server
            .admin()
            .post(
                "/api/v1/jobs",
                "{\"command\":[\"x\"],\"rules\":{\"publish\":\"rain\"},\"after\":[{\"data\":\"sun\"}]}");
    assertThat(circle.text()).contains("wait for each other", "of job " + job);
  }

  @Test
  void an_older_version_may_be_removed() {
    long first;
    try (TestAgent agent = server.agent("a")) {
      first = publisher("rain");
      run(agent, first, "old");
      run(agent, publisher("rain"), "new");
    }
    assertThat(server.admin().method("DELETE", "/api/v1/jobs/" + first).status()).isLessThan(300);
    server.restart();
    assertThat(taken("rain")).isEqualTo("rain@2");
    assertThat(server.admin().post("/api/v1/jobs", consumer("rain@1")).text())
        .contains("Version 1 of the data 'rain' is gone");
  }

  @Test
  void names_that_cannot_be_are_refused() {
    Rest.Reply name =
        server.admin().post("/api/v1/jobs", "{\"command\":[\"x\"],\"after\":[{\"data\":\"a/b\"}]}");
    assertThat(name.text()).contains("'a/b' is not a valid data name");
    Rest.Reply version =
        server
            .admin()
            .post("/api/v1/jobs", "{\"command\":[\"x\"],\"rules\":{\"publish\":\"rain@3\"}}");
    assertThat(version.text()).contains("Versions of published data are whole numbers");
  }
}
