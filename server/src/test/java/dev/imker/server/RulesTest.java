package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.job.JobSeal;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.ResultFile;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules that change, jobs that begin again, and results that become inputs. */
class RulesTest {
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
  void limits_change_while_tasks_wait_and_survive_a_restart() {
    long job = server.admin().submit("{\"command\":[\"x\"],\"rules\":{\"pin\":\"nowhere\"}}");
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      assertThat(explained(job)).contains("is not nowhere, to which the task is pinned");
      Rest.Reply reply = patch(job, "{\"pin\":\"a\",\"maxRuntimeMillis\":5000,\"priority\":7}");
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.json().at("/job/priority").asInt()).isEqualTo(7);
      Assignment task = agent.nextAssignment();
      server.restart();
      JsonNode spec = server.admin().get("/api/v1/jobs/" + job + "?spec=true").json();
      assertThat(spec.at("/spec/stages/0/rules/maxRuntimeMillis").asInt()).isEqualTo(5000);
      agent.finish(TestAgent.success(task));
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();
    }
  }

  @Test
  void a_changed_limit_is_told_to_the_agent_that_runs_the_task() {
    long job = server.admin().submit("{\"command\":[\"x\"]}");
    try (TestAgent agent = server.agent("a")) {
      Assignment task = agent.nextAssignment();
      assertThat(patch(job, "{\"maxRuntimeMillis\":123456}").status()).isEqualTo(200);
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(agent.template(job)).contains("123456"));
      agent.finish(TestAgent.success(task));
      agent.nextConfirmed();
    }
  }

  @Test
  void single_tasks_have_limits_of_their_own_also_after_a_restart() {
    long job =
        server
            .admin()
            .submit(
                """
                {"command":["x ${n}"],"sweep":[{"name":"n","range":{"from":1,"to":9}}]}\
                """);
    assertThat(patch(job, "{\"priority\":9,\"from\":7,\"to\":7}").status()).isEqualTo(200);
    assertThat(patch(job, "{\"maxRuntimeMillis\":90000000,\"from\":7,\"to\":8}").status())
        .isEqualTo(200);
    assertThat(patch(job, "{\"priority\":9,\"from\":7,\"to\":70}").errorField()).isEqualTo("to");
    server.restart();
    JsonNode seventh = server.admin().get("/api/v1/tasks/" + job + ".7").json();
    assertThat(seventh.get("priority").asInt()).isEqualTo(9);
    assertThat(seventh.at("/own/maxRuntimeMillis").asLong()).isEqualTo(90_000_000);
    JsonNode sixth = server.admin().get("/api/v1/tasks/" + job + ".6").json();
    assertThat(sixth.get("priority").asInt()).isEqualTo(4);
    assertThat(sixth.has("own")).isFalse();
    try (TestAgent agent = server.agent("a")) {
      Assignment first = agent.nextAssignment();
      assertThat(first.getLease().getIndex()).isEqualTo(6);
      assertThat(agent.template(job)).contains("90000000");
      assertThat(patch(job, "{\"priority\":5}").status()).isEqualTo(200);
      seventh = server.admin().get("/api/v1/tasks/" + job + ".7").json();
      assertThat(seventh.get("priority").asInt()).isEqualTo(5);
      agent.finish(TestAgent.success(first));
      agent.nextConfirmed();
    }
  }

  @Test
  void how_many_tasks_run_at_once_can_be_changed_while_they_run() {
    long job =
        server
            .admin()
            .submit(
                """
                {"command":["x ${n}"],"sweep":[{"name":"n","range":{"from":1,"to":9}}],
                 "rules":{"atMost":1}}\
                """);
    try (TestAgent agent = server.agent("a")) {
      agent.nextAssignment();
      assertThat(patch(job, "{\"atMost\":2,\"from\":1,\"to\":2}").errorField()).isEqualTo("atMost");
      assertThat(patch(job, "{\"atMost\":-1}").errorField()).isEqualTo("atMost");
      assertThat(patch(job, "{\"atMost\":2}").status()).isEqualTo(200);
      agent.nextAssignment();
      JsonNode counts = server.admin().get("/api/v1/jobs/" + job).json().path("counts");
      assertThat(counts.path("running").asInt()).as(counts.toString()).isEqualTo(2);
    }
  }

  @Test
  void change_of_nothing_or_of_something_unknown_is_refused() {
    long job = server.admin().submit("{\"command\":[\"x\"]}");
    assertThat(patch(job, "{}").status()).isEqualTo(400);
    assertThat(patch(job, "{\"colour\":\"red\"}").status()).isEqualTo(400);
    assertThat(patch(job, "{\"maxFailures\":0}").errorField()).isEqualTo("maxFailures");
    assertThat(patch(job + 1, "{\"priority\":1}").status()).isEqualTo(404);
  }

  @Test
  void job_that_begins_again_says_so_also_after_a_restart() {
    long job =
        server
            .admin()
            .submit(
                """
                {"stages":[{"name":"a","command":["x"],"rules":{"maxFailures":1}}],
                 "onFailure":{"way":"RESTART","limit":1}}
                """);
    try (TestAgent agent = server.agent("a")) {
      agent.finish(TestAgent.failure(agent.nextAssignment(), 1));
      agent.nextConfirmed();
      Assignment again = agent.nextAssignment();
      server.restart();
      assertThat(server.admin().job(job).get("phase").asText()).isEqualTo("RESTARTED 1");
      agent.finish(TestAgent.failure(again, 1));
      agent.nextConfirmed();
    }
    assertThat(server.admin().job(job).get("status").asText()).isEqualTo("FAILED");
  }

  @Test
  void commands_cannot_be_rolled_back() {
    Rest.Reply reply =
        server
            .admin()
            .post("/api/v1/jobs", "{\"command\":[\"x\"],\"onFailure\":{\"way\":\"ROLLBACK\"}}");
    assertThat(reply.errorField()).isEqualTo("onFailure.way");
  }

  @Test
  void results_become_inputs_of_the_next_stage() {
    long job = server.admin().submit(twoStages("*.txt", "in/${n}"));
    try (TestAgent agent = server.agent("a")) {
      agent.finishAll(this::finish);
      for (int i = 0; i < 3; i++) {
        assertThat(agent.nextConfirmed().getAccepted()).isTrue();
      }
    }
    JsonNode last = server.admin().get("/api/v1/tasks/" + job + ".3?output=true").json();
    assertThat(last.get("stdoutText").asText()).isEqualTo("in/1/r.txt in/2/r.txt");
  }

  @Test
  void more_results_than_one_message_can_tell_of_become_inputs() {
    int each = 6_000;
    String sha256 = server.admin().upload(new byte[] {1});
    long job = server.admin().submit(twoStages("*", "in/${n}"));
    try (TestAgent agent = server.agent("a")) {
      for (int task = 0; task < 2; task++) {
        Finished.Builder done = TestAgent.done(agent.nextAssignment());
        for (int file = 0; file < each; file++) {
          done.addResults(ResultFile.newBuilder().setPath("r" + file).setSha256(sha256).setSize(1));
        }
        agent.finish(done.build());
        assertThat(agent.nextConfirmed().getAccepted()).isTrue();
      }
      Assignment sum = agent.nextAssignment();
      assertThat(sum.getLease().getJob()).isEqualTo(job);
      assertThat(sum.getInputsList().stream().map(file -> file.getPath()).distinct())
          .hasSize(2 * each)
          .contains("in/1/r0", "in/2/r" + (each - 1));
      assertThat(sum.getInputsList()).hasSize(2 * each);
    }
  }

  @Test
  void input_that_nothing_matches_or_that_comes_twice_fails_for_good_in_words() {
    long none = server.admin().submit(twoStages("*.dat", ""));
    long twice = server.admin().submit(twoStages("*.txt", ""));
    try (TestAgent agent = server.agent("a")) {
      agent.finishAll(this::finish);
      for (int i = 0; i < 4; i++) {
        agent.nextConfirmed();
      }
      assertFailed(none, "No result of stage 'make' matches '*.dat'");
      assertFailed(twice, "Two inputs would both be named 'r.txt'");
    }
  }

  private void assertFailed(long job, String why) {
    org.awaitility.Awaitility.await()
        .until(() -> server.admin().job(job).get("status").asText().equals("FAILED"));
    JsonNode task = server.admin().get("/api/v1/tasks/" + job + ".3").json();
    assertThat(task.get("error").asText()).contains(why);
  }

  private static String twoStages(String glob, String into) {
    return """
    {"stages":[
      {"name":"make","command":["make"],"outputs":["*"],
       "sweep":[{"name":"n","values":["1","2"]}]},
      {"name":"sum","command":["sum"],
       "dataInputs":[{"from":{"stage":"make"},"glob":"%s","into":"%s"}]}]}
    """
        .formatted(glob, into);
  }

  /** Tasks of the first stage make a file, that of the second tells what files it got. */
  private Finished finish(Assignment task) {
    Finished.Builder done = TestAgent.done(task);
    if (task.getStage() == 0) {
      byte[] content = ("result " + task.getParams(0)).getBytes(StandardCharsets.UTF_8);
      String sha256 = server.admin().upload(content);
      done.addResults(
          ResultFile.newBuilder().setPath("r.txt").setSha256(sha256).setSize(content.length));
    } else {
      String paths =
          String.join(" ", task.getInputsList().stream().map(file -> file.getPath()).toList());
      done.setStdout(com.google.protobuf.ByteString.copyFromUtf8(paths));
    }
    return done.build();
  }

  @Test
  void inputs_are_sent_again_only_where_it_is_clear_which_are_meant() {
    String linux = server.admin().upload("lin".getBytes(StandardCharsets.UTF_8));
    String windows = server.admin().upload("win".getBytes(StandardCharsets.UTF_8));
    String fresh = server.admin().upload("new".getBytes(StandardCharsets.UTF_8));
    String renewal = "{\"inputs\":[" + input("tool", fresh, "") + "]}";
    long two =
        server
            .admin()
            .submit(
                "{\"command\":[\"x\"],\"inputs\":[%s,%s]}"
                    .formatted(input("tool", linux, "linux"), input("tool", windows, "windows")));
    assertThat(patch(two, renewal).text()).contains("different files named 'tool'");
    long signed =
        server
            .admin()
            .submit(
                "{\"command\":[\"x\"],\"env\":{\"%s\":\"AAAA\"},\"inputs\":[%s]}"
                    .formatted(JobSeal.VARIABLE, input("tool", linux, "")));
    assertThat(patch(signed, renewal).text()).contains("is signed", "--sign");
    long one =
        server
            .admin()
            .submit("{\"command\":[\"x\"],\"inputs\":[%s]}".formatted(input("tool", linux, "")));
    assertThat(patch(one, renewal).status()).isEqualTo(200);
  }

  private static String input(String path, String blob, String os) {
    return "{\"path\":\"%s\",\"blob\":\"%s\",\"size\":3,\"os\":\"%s\"}".formatted(path, blob, os);
  }

  private String explained(long job) {
    return server.admin().get("/api/v1/tasks/" + job + ".1/explain").json().get("text").asText();
  }

  private Rest.Reply patch(long job, String body) {
    return server
        .admin()
        .send(
            server
                .admin()
                .request("/api/v1/jobs/" + job)
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString(body)));
  }
}
