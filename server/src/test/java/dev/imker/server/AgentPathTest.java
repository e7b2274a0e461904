package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.imker.model.connection.JoinToken;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.ResultFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a submission over an agent to the results. */
@ExpectedLogs("Refused agent .* update the older one")
class AgentPathTest {
  @TempDir Path folder;
  private TestServer server;
  private Rest admin;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
    admin = server.admin();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void awaitStatus(long job, String status) {
    await().until(() -> admin.job(job).get("status").asText().equals(status));
  }

  @Test
  void a_task_goes_to_an_agent_and_its_results_come_back() {
    try (TestAgent agent = server.agent("a")) {
      long job =
          admin.submit(
              """
              {"name":"hello","command":["echo ${n}"],"outputs":["*.txt"],
               "sweep":[{"name":"n","values":["seven"]}]}\
              """);
      Assignment assignment = agent.nextAssignment();
      assertThat(assignment.getParamsList()).containsExactly("seven");
      assertThat(assignment.getAttempt()).isEqualTo(1);
      assertThat(agent.template(job)).contains("echo ${n}", "\"hello\"");

      String token = agent.nextWelcome().getBlobToken();
      byte[] content = "result".getBytes(StandardCharsets.UTF_8);
      String blob = server.withToken(token).uploadFor(assignment.getLease(), content);
      agent.finish(
          TestAgent.done(assignment)
              .setStdout(ByteString.copyFromUtf8("seven\n"))
              .setStdoutSize(6)
              .setCpuMillis(12)
              .addResults(
                  ResultFile.newBuilder().setPath("sub dir/r.txt").setSha256(blob).setSize(6))
              .build());
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();

      assertThat(admin.job(job).get("status").asText()).isEqualTo("DONE");
      assertThat(admin.job(job).get("settled").isTextual()).isTrue();
      JsonNode task = admin.get("/api/v1/tasks/" + job + ".1?output=true").json();
      assertThat(task.get("state").asText()).isEqualTo("DONE");
      assertThat(task.at("/params/n").asText()).isEqualTo("seven");
      assertThat(task.get("node").asText()).isEqualTo("host-a");
      assertThat(task.get("stdoutText").asText()).isEqualTo("seven\n");
      assertThat(task.get("cpuMillis").asLong()).isEqualTo(12);
      assertThat(task.get("attemptHistory")).hasSize(1);
      assertThat(admin.get("/api/v1/tasks/" + job + ".1/stdout").text()).isEqualTo("seven\n");
      assertThat(admin.get("/api/v1/tasks/" + job + ".1/stdout?offset=3").text()).isEqualTo("en\n");
      assertThat(admin.get("/api/v1/tasks/" + job + ".1/results/sub%20dir/r.txt").body())
          .isEqualTo(content);
      assertThat(admin.get("/api/v1/tasks/" + job + ".1/results/other").status()).isEqualTo(404);
    }
  }

  @Test
  void a_sweep_of_a_thousand_is_done_by_two_agents_each_task_once() {
    try (TestAgent a = server.agent("a");
        TestAgent b = server.agent("b")) {
      a.finishAll(TestAgent::success);
      b.finishAll(TestAgent::success);
      long job =
          admin.submit(
              "{\"kind\":\"NOOP\",\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":1000}}]}");
      awaitStatus(job, "DONE");
      JsonNode counts = admin.job(job).get("counts");
      assertThat(counts.get("done").asInt()).isEqualTo(1000);
      JsonNode pool = admin.get("/api/v1/pool").json();
      assertThat(pool.at("/tasks/done").asInt()).isEqualTo(1000);
      assertThat(pool.get("agents").asInt()).isEqualTo(2);
    }
  }

  @Test
  void a_task_that_fails_too_often_is_held_back_and_can_be_released() {
    try (TestAgent agent = server.agent("a")) {
      agent.finishAll(assignment -> TestAgent.failure(assignment, 3));
      long job = admin.submit("{\"command\":[\"false\"],\"rules\":{\"maxFailures\":2}}");
      awaitStatus(job, "FAILED");
      JsonNode task = admin.get("/api/v1/tasks/" + job + ".1").json();
      assertThat(task.get("state").asText()).isEqualTo("AUTO_BLOCKED");
      assertThat(task.get("failures").asInt()).isEqualTo(2);
      assertThat(task.get("exitCode").asInt()).isEqualTo(3);
      assertThat(task.get("attemptHistory")).hasSize(2);

      agent.finishAll(TestAgent::success);
      JsonNode changed = admin.post("/api/v1/jobs/" + job + "/release", "").json();
      assertThat(changed.get("changed").asInt()).isEqualTo(1);
      awaitStatus(job, "DONE");
    }
  }

  @Test
  void a_report_is_accepted_again_when_it_is_sent_again() {
    try (TestAgent agent = server.agent("a")) {
      admin.submit("{\"command\":[\"x\"],\"sweep\":[{\"name\":\"n\",\"values\":[\"1\",\"2\"]}]}");
      Finished finished = TestAgent.success(agent.nextAssignment());
      agent.finish(finished);
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();
      agent.finish(finished);
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();
      assertThat(admin.job(1).at("/counts/done").asInt()).isEqualTo(1);
    }
  }

  @Test
  void the_task_of_a_silent_agent_goes_to_another_and_its_late_result_is_refused() {
    server.close();
    server = TestServer.impatient(folder);
    admin = server.admin();
    try (TestAgent silent = server.agent("silent")) {
      long job = admin.submit("{\"command\":[\"x\"]}");
      Assignment first = silent.nextAssignment();
      silent.fallSilent();
      try (TestAgent other = server.agent("other")) {
        Assignment second = other.nextAssignment();
        assertThat(second.getLease().getIndex()).isEqualTo(first.getLease().getIndex());
        assertThat(second.getLease().getToken()).isGreaterThan(first.getLease().getToken());
        silent.finish(TestAgent.success(first));
        Confirmed late = silent.nextConfirmed();
        assertThat(late.getAccepted()).isFalse();
        assertThat(admin.job(job).at("/counts/running").asInt()).isEqualTo(1);
        other.finish(TestAgent.success(second));
        assertThat(other.nextConfirmed().getAccepted()).isTrue();
        awaitStatus(job, "DONE");
        assertThat(admin.get("/api/v1/tasks/" + job + ".1").json().get("losses").asInt())
            .isPositive();
      }
    }
  }

  @Test
  void cancelling_stops_what_runs() {
    try (TestAgent agent = server.agent("a")) {
      long job =
          admin.submit(
              "{\"command\":[\"x\"],\"sweep\":[{\"name\":\"n\",\"range\":"
                  + "{\"from\":1,\"to\":50}}]}");
      Assignment running = agent.nextAssignment();
      JsonNode changed =
          admin.post("/api/v1/jobs/" + job + "/cancel", "{\"from\":1,\"to\":40}").json();
      assertThat(changed.get("changed").asInt()).isEqualTo(40);
      assertThat(agent.nextStop().getLease()).isEqualTo(running.getLease());
      agent.finish(
          TestAgent.done(running)
              .setOutcome(Outcome.STOPPED)
              .setStartedMillis(1_000)
              .setEndedMillis(9_000)
              .setPausedMillis(3_000)
              .setCpuMillis(4_321)
              .build());
      agent.nextConfirmed();
      int number = running.getLease().getIndex() + 1;
      JsonNode task = admin.get("/api/v1/tasks/" + job + "." + number).json();
      assertThat(task.get("state").asText()).isEqualTo("CANCELLED");
      assertThat(task.get("error").asText()).isEqualTo("cancelled");
      assertThat(task.get("cpuMillis").asInt()).as("told only now").isEqualTo(4_321);
      assertThat(task.get("pausedMillis").asInt()).isEqualTo(3_000);
      admin.post("/api/v1/jobs/" + job + "/cancel", "");
      awaitStatus(job, "CANCELLED");
    }
  }

  @Test
  void priority_and_blocking_are_shown() {
    long job = admin.submit("{\"command\":[\"x\"]}");
    JsonNode changed = admin.post("/api/v1/jobs/" + job + "/priority", "{\"priority\":9}").json();
    assertThat(changed.at("/job/priority").asInt()).isEqualTo(9);
    admin.post("/api/v1/jobs/" + job + "/block", "");
    assertThat(admin.job(job).at("/counts/blocked").asInt()).isEqualTo(1);
    assertThat(admin.post("/api/v1/jobs/" + job + "/priority", "{\"priority\":10}").status())
        .isEqualTo(400);
    assertThat(admin.post("/api/v1/jobs/99/cancel", "").status()).isEqualTo(404);
  }

  @Test
  void success_without_the_promised_files_is_not_believed() {
    try (TestAgent agent = server.agent("a")) {
      long job = admin.submit("{\"command\":[\"x\"],\"rules\":{\"maxFailures\":1}}");
      agent.finish(
          TestAgent.done(agent.nextAssignment())
              .addResults(ResultFile.newBuilder().setPath("r").setSha256("0".repeat(64)).setSize(1))
              .build());
      agent.nextConfirmed();
      JsonNode task = admin.get("/api/v1/tasks/" + job + ".1").json();
      assertThat(task.get("state").asText()).isEqualTo("AUTO_BLOCKED");
      assertThat(task.get("error").asText()).contains("never arrived");
    }
  }

  @Test
  void an_agent_of_another_protocol_is_refused_with_the_reason() {
    JoinToken token = JoinToken.parse(server.running().joinToken());
    try (TestAgent agent = TestAgent.connect(token, "old", 1, 99)) {
      assertThat(agent.nextRefused().getReason()).contains("version 99", "update the older");
    }
  }

  @Test
  void an_agent_learns_which_of_its_leases_are_void() {
    try (TestAgent agent = server.agent("a")) {
      admin.submit("{\"command\":[\"x\"]}");
      Assignment assignment = agent.nextAssignment();
      admin.post("/api/v1/jobs/1/cancel", "");
      agent.nextStop();
      await().until(() -> agent.nextReply().getUnknownList().contains(assignment.getLease()));
    }
  }

  @Test
  void nodes_show_who_is_there() {
    try (TestAgent agent = server.agent("bee")) {
      agent.nextWelcome();
      JsonNode node = admin.get("/api/v1/nodes/host-bee").json();
      assertThat(node.get("connected").asBoolean()).isTrue();
      assertThat(node.get("slots").asInt()).isEqualTo(2);
      assertThat(node.at("/platform/os").asText()).isEqualTo("linux");
      assertThat(admin.get("/api/v1/nodes/bee").json().get("id")).isEqualTo(node.get("id"));
    }
    await().until(() -> !admin.get("/api/v1/nodes/host-bee").json().get("connected").asBoolean());
  }
}
