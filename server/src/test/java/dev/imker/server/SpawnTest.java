package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.SpawnAnswer;
import dev.imker.wire.proto.Welcome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a task spawned and left behind does not go on without it. */
@ExpectedLogs("claims \\d+ slots")
class SpawnTest {
  private static final String JOB =
      "{\"kind\":\"JAVA\",\"payload\":\"{}\",\"name\":\"parent\",\"rules\":{\"maxFailures\":1}}";

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

  private static Spawn spawnOf(Assignment parent, int number) {
    return Spawn.newBuilder()
        .setLease(parent.getLease())
        .setKey("call/" + number)
        .setPayload("{}")
        .setCount(3)
        .build();
  }

  private JsonNode children() {
    return server.admin().get("/api/v1/jobs?name=parent-sub").json().get("jobs");
  }

  @Test
  void children_of_a_task_that_fails_after_a_restart_are_cancelled() {
    server.admin().submit(JOB);
    try (TestAgent agent = TestAgent.connect(server.running().joinToken(), "a", 1)) {
      Assignment parent = agent.nextAssignment();
      agent.send(spawnOf(parent, 1));
      await().until(() -> children().size() == 1);
      server.restart();
      agent.finish(TestAgent.failure(parent, 1));
      await()
          .untilAsserted(
              () -> assertThat(children().get(0).get("status").asText()).isEqualTo("CANCELLED"));
    }
  }

  /** The spawn passes the look at its task, and the task is over before the job is made. */
  @Test
  void a_task_that_ends_while_its_spawn_is_on_the_way_leaves_no_orphan() {
    int rounds = 20;
    // Children may get a slot until they are cancelled.
    try (TestAgent agent = TestAgent.connect(server.running().joinToken(), "a", 10 * rounds)) {
      for (int round = 0; round < rounds; round++) {
        long job = server.admin().submit(JOB);
        Assignment parent = agent.nextAssignment();
        while (parent.getLease().getJob() != job) {
          parent = agent.nextAssignment();
        }
        agent.send(spawnOf(parent, round));
        agent.finish(TestAgent.failure(parent, 1));
        agent.nextConfirmed();
      }
      await()
          .untilAsserted(
              () -> {
                for (JsonNode child : children()) {
                  assertThat(child.get("status").asText()).isEqualTo("CANCELLED");
                }
              });
    }
  }

  @Test
  void cancelling_a_job_cancels_what_its_tasks_spawned_also_after_they_succeeded() {
    long job =
        server
            .admin()
            .submit(
                JOB.replace(
                    "\"payload\"",
                    "\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":2}}],\"payload\""));
    try (TestAgent agent = TestAgent.connect(server.running().joinToken(), "a", 3)) {
      Assignment parent = agent.nextAssignment();
      agent.nextAssignment();
      agent.send(spawnOf(parent, 1));
      await().until(() -> children().size() == 1);
      Assignment child = agent.nextAssignment();
      agent.send(spawnOf(child, 2));
      await().until(() -> children().size() == 2);
      agent.finish(TestAgent.success(parent));
      agent.nextConfirmed();
      JsonNode shown = server.admin().get("/api/v1/jobs/%d?spec=true".formatted(job)).json();
      assertThat(shown.at("/spawned/count").asInt()).isEqualTo(2);
      assertThat(shown.at("/spawned/tasks").asInt()).isEqualTo(6);
      assertThat(shown.at("/spawned/open").asInt()).isEqualTo(6);
      long younger = shown.at("/spawned/jobs/1").asLong();
      assertThat(server.admin().job(younger).at("/spawnedBy").asText())
          .isEqualTo("%d.1".formatted(shown.at("/spawned/jobs/0").asLong()));
      JsonNode changed = server.admin().post("/api/v1/jobs/%d/cancel".formatted(job), "{}").json();
      // Those of a task that is cancelled may have been cancelled with it already.
      assertThat(changed.at("/changed").asInt()).isBetween(4, 7);
      for (JsonNode one : children()) {
        assertThat(one.get("status").asText()).isEqualTo("CANCELLED");
      }
    }
  }

  @Test
  void cancelling_what_waits_of_a_job_leaves_alone_what_its_running_tasks_spawned() {
    long job = server.admin().submit(JOB);
    try (TestAgent agent = TestAgent.connect(server.running().joinToken(), "a", 1)) {
      agent.send(spawnOf(agent.nextAssignment(), 1));
      await().until(() -> children().size() == 1);
      String order =
          "{\"action\":\"cancel\",\"filter\":{\"select\":\"%d\"%s}}".formatted(job, "%s");
      server.admin().post("/api/v1/bulk", order.formatted(",\"states\":[\"READY\",\"WAITING\"]"));
      assertThat(children().get(0).get("status").asText()).isNotEqualTo("CANCELLED");
      server.admin().post("/api/v1/bulk", order.formatted(""));
      assertThat(children().get(0).get("status").asText()).isEqualTo("CANCELLED");
    }
  }

  private Intruder agentWith(Lease... held) {
    return new Intruder(
        server.running().joinToken(),
        (hello, challenge) ->
            Intruder.signed(hello.setSlots(4).addAllHeld(List.of(held)), challenge, "key"));
  }

  /** The next leader does not know what the one before has told, until it is asked again. */
  @Test
  void outcomes_can_be_fetched_from_the_next_leader() {
    server.admin().submit(JOB);
    Assignment parent;
    String outcome;
    try (Intruder agent = agentWith()) {
      Rest files = server.withToken(agent.next(Welcome.class).getBlobToken());
      parent = agent.next(Assignment.class);
      agent.say(spawnOf(parent, 1));
      Assignment child = agent.next(Assignment.class);
      outcome = files.uploadFor(child.getLease(), new byte[100_000]);
      agent.say(TestAgent.done(child).setStdoutSha256(outcome).setStdoutSize(100_000).build());
      while (agent.next(SpawnAnswer.class).getOutcomesCount() == 0) {}
      assertThat(files.get("/api/v1/blobs/" + outcome).status()).isEqualTo(200);
    }
    server.restart();
    try (Intruder agent = agentWith(parent.getLease())) {
      Rest files = server.withToken(agent.next(Welcome.class).getBlobToken());
      assertThat(files.get("/api/v1/blobs/" + outcome).status()).isEqualTo(403);
      agent.say(spawnOf(parent, 1));
      while (agent.next(SpawnAnswer.class).getOutcomesCount() == 0) {}
      assertThat(files.get("/api/v1/blobs/" + outcome).status()).isEqualTo(200);
    }
  }
}
