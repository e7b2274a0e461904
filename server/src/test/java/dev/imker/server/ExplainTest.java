package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.wire.proto.Assignment;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every state of a task has an explanation that says what to do. */
class ExplainTest {
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

  private JsonNode explain(long job, int number) {
    Rest.Reply reply = server.admin().get("/api/v1/tasks/" + job + "." + number + "/explain");
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return reply.json();
  }

  private static String text(JsonNode explanation) {
    return explanation.get("text").asText();
  }

  private long submit(String more) {
    return server
        .admin()
        .submit(
            "{\"command\":[\"x\"],\"rules\":{\"maxFailures\":1,\"speculative\":false}"
                + more
                + "}");
  }

  @Test
  void without_machines_the_way_to_add_one_is_told() {
    JsonNode explanation = explain(submit(""), 1);
    assertThat(explanation.get("reason").asText()).isEqualTo("NO_NODE");
    assertThat(text(explanation)).contains("imker agent --join");
  }

  @Test
  void what_every_class_of_machine_lacks_is_told() {
    long job = submit(",\"needs\":{\"alternatives\":[{\"os\":[\"windows\"],\"cores\":128}]}");
    try (TestAgent agent = server.agent("a");
        TestAgent other = server.agent("b")) {
      agent.nextWelcome();
      other.nextWelcome();
      JsonNode explanation = explain(job, 1);
      assertThat(explanation.get("reason").asText()).isEqualTo("NO_NODE_FITS");
      assertThat(explanation.get("nodes")).hasSize(1);
      assertThat(explanation.at("/nodes/0/nodes").asInt()).isEqualTo(2);
      assertThat(text(explanation))
          .contains("2 machines")
          .contains("needs os windows, has linux")
          .contains("needs 128 cores, has 64");
    }
  }

  @Test
  void a_task_behind_others_knows_its_place() {
    try (TestAgent agent = server.agent("a")) {
      long job = submit(",\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":10}}]");
      agent.nextAssignment();
      agent.nextAssignment();
      long urgent = submit(",\"priority\":8");
      JsonNode explanation = explain(job, 6);
      assertThat(explanation.get("reason").asText()).isEqualTo("SLOTS_BUSY");
      assertThat(explanation.at("/ahead/samePriority").asInt()).isEqualTo(3);
      assertThat(explanation.at("/ahead/higherPriority").asInt()).isEqualTo(1);
      assertThat(text(explanation)).contains("busy").contains("4 tasks of its project come first");
      assertThat(explain(urgent, 1).at("/ahead/samePriority").asInt()).isZero();
      JsonNode running = explain(job, 1);
      assertThat(running.get("reason").asText()).isEqualTo("RUNNING");
      assertThat(text(running)).contains("Attempt 1 has been with a since");
    }
  }

  @Test
  void the_end_of_a_task_is_told_with_its_attempt() {
    long job = submit(",\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":4}}]");
    server.admin().post("/api/v1/jobs/" + job + "/block", "{\"from\":3,\"to\":3}");
    server.admin().post("/api/v1/jobs/" + job + "/cancel", "{\"from\":4,\"to\":4}");
    try (TestAgent agent = server.agent("a")) {
      Assignment first = agent.nextAssignment();
      Assignment second = agent.nextAssignment();
      agent.finish(TestAgent.success(first));
      agent.finish(TestAgent.failure(second, 3));
      agent.nextConfirmed();
      agent.nextConfirmed();
    }
    assertThat(text(explain(job, 1))).contains("It is done: attempt 1 succeeded on a");
    assertThat(text(explain(job, 2)))
        .contains("It failed once; last")
        .contains("exit code 3")
        .contains("imker release " + job + ".2");
    assertThat(explain(job, 3).get("reason").asText()).isEqualTo("BLOCKED");
    assertThat(explain(job, 4).get("reason").asText()).isEqualTo("CANCELLED");
  }

  @Test
  void why_a_finished_task_went_to_its_machine_is_told_with_the_figures_of_that_moment() {
    try (TestAgent agent = server.agent("a")) {
      long job = submit(",\"project\":\"p\"");
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
      JsonNode done = explain(job, 1);
      JsonNode decision = done.at("/decisions/0");
      assertThat(decision.get("why").asText()).isEqualTo("survival chose its project");
      assertThat(decision.get("node").asText()).isEqualTo("a");
      assertThat(decision.get("candidates").asInt()).isEqualTo(1);
      assertThat(decision.at("/considered/0/project").asText()).isEqualTo("admin/p");
      assertThat(text(done))
          .contains("Attempt 1 went to a at ")
          .contains("admin/p: takes about ")
          .contains("finishes with probability");
      long impossible = submit(",\"needs\":{\"alternatives\":[{\"cores\":128}]}");
      assertThat(explain(impossible, 1).get("decisions")).isEmpty();
    }
  }

  @Test
  void a_node_is_told_what_it_would_get_and_why() {
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      JsonNode idle = server.admin().get("/api/v1/nodes/host-a/explain").json();
      assertThat(idle.at("/agents/0/explanation").asText()).contains("No READY task fits");
      submit(",\"project\":\"p\",\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":9}}]");
      agent.nextAssignment();
      agent.nextAssignment();
      await()
          .untilAsserted(
              () -> {
                JsonNode busy = server.admin().get("/api/v1/nodes/host-a/explain").json();
                assertThat(busy.get("strategy").asText()).isEqualTo("survival");
                assertThat(text(busy)).contains("No slot is free").contains("/p: 7 ready");
                assertThat(busy.at("/projects/0/ready").asInt()).isEqualTo(7);
              });
    }
    assertThat(server.admin().get("/api/v1/nodes/nowhere/explain").status()).isEqualTo(404);
    assertThat(server.admin().get("/api/v1/tasks/9.9/explain").status()).isEqualTo(404);
  }

  @Test
  void what_is_taken_is_told_with_who_has_it() {
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      long first = submit(",\"needs\":{\"alternatives\":[{\"cores\":63}]}");
      agent.nextAssignment();
      long second = submit(",\"needs\":{\"alternatives\":[{\"cores\":2}]}");
      await()
          .untilAsserted(
              () -> {
                JsonNode explanation = explain(second, 1);
                assertThat(explanation.get("reason").asText()).isEqualTo("AMOUNTS_TAKEN");
                assertThat(text(explanation))
                    .contains("a: needs 2 cores; a has 64, 63 are taken until about ")
                    .contains("by " + first + ".1");
              });
    }
  }
}
