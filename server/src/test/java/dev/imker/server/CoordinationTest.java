package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.wire.proto.Assignment;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks wait for each other, with real leases and what is shared in the pool's own store. */
class CoordinationTest {
  private static final String JOB =
      "{\"command\":[\"x\"],\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":2}}]}";

  private static final String ONE = "{\"command\":[\"x\"]}";

  @TempDir Path folder;

  private static Rest task(TestServer server, String agentToken, Assignment assignment) {
    var lease = assignment.getLease();
    String held =
        lease.getJob()
            + "-"
            + lease.getIndex()
            + "-"
            + lease.getToken()
            + "-"
            + Long.toHexString(lease.getIncarnation());
    return server.withToken(People.sign(held, agentToken));
  }

  private static Rest.Reply act(Rest task, String thing, String body) {
    return task.post("/api/v1/coord/" + thing, body);
  }

  @Test
  void tasks_of_a_job_wait_for_each_other() throws Exception {
    try (TestServer server = TestServer.start(folder);
        TestAgent agent = server.agent("worker")) {
      String token = agent.nextWelcome().getBlobToken();
      server.admin().submit(JOB);
      Assignment first = agent.nextAssignment();
      Rest one = task(server, token, first);
      Rest two = task(server, token, agent.nextAssignment());
      String enter = "{\"action\":\"enter\",\"size\":2,\"wait\":60}";
      CompletableFuture<Rest.Reply> waiting =
          CompletableFuture.supplyAsync(() -> act(one, "barrier/start", enter));
      Rest.Reply entered = act(two, "barrier/start", enter);
      assertThat(entered.text()).isEqualTo("{\"entered\":true,\"round\":1}");
      assertThat(waiting.get(60, TimeUnit.SECONDS).json()).isEqualTo(entered.json());

      Rest.Reply lock = act(one, "lock/file", "{\"action\":\"acquire\"}");
      assertThat(lock.json().get("held").asBoolean()).isTrue();
      assertThat(act(two, "lock/file", "{\"action\":\"acquire\"}").json().get("held").asBoolean())
          .isFalse();
      assertThat(act(one, "counter/n", "{\"action\":\"add\",\"value\":5}").text())
          .contains("\"value\":5");
      assertThat(act(two, "counter/n", "{\"action\":\"set\",\"value\":7,\"version\":0}").status())
          .isEqualTo(409);
      assertThat(act(two, "config/v", "{\"action\":\"get\"}").text())
          .isEqualTo("{\"data\":\"\",\"version\":0}");
      assertThat(act(one, "config/v", "{\"action\":\"set\",\"data\":\"x\",\"version\":0}").text())
          .isEqualTo("{\"data\":\"x\",\"version\":1}");
      assertThat(act(two, "config/v", "{\"action\":\"set\",\"data\":\"y\",\"version\":0}").status())
          .isEqualTo(409);
      assertThat(act(two, "config/v", "{\"action\":\"watch\",\"version\":0,\"wait\":60}").text())
          .contains("\"data\":\"x\"");
      assertThat(act(one, "queue/q", "{\"action\":\"put\",\"data\":\"x\"}").status())
          .isEqualTo(200);
      assertThat(act(two, "queue/q", "{\"action\":\"take\"}").json().get("data").asText())
          .isEqualTo("x");
      assertThat(act(one, "group/g", "{\"action\":\"join\"}").json().get("members")).hasSize(1);
      assertThat(act(one, "election/e", "{\"action\":\"stand\"}").json().get("you").asBoolean())
          .isTrue();

      // A task that is over holds up nobody.
      agent.finish(TestAgent.success(first));
      agent.nextConfirmed();
      assertThat(act(two, "barrier/start", "{\"action\":\"leave\",\"round\":1,\"wait\":60}").text())
          .isEqualTo("{\"done\":true}");
      Rest.Reply next = act(two, "lock/file", "{\"action\":\"acquire\",\"wait\":60}");
      assertThat(next.json().get("held").asBoolean()).isTrue();
      assertThat(next.json().get("fencing").asLong())
          .isGreaterThan(lock.json().get("fencing").asLong());
      assertThat(act(one, "lock/file", "{\"action\":\"acquire\"}").status()).isEqualTo(401);
    }
  }

  @Test
  void what_bears_a_key_happens_once() {
    try (TestServer server = TestServer.start(folder);
        TestAgent agent = server.agent("worker")) {
      String token = agent.nextWelcome().getBlobToken();
      server.admin().submit(JOB);
      Rest task = task(server, token, agent.nextAssignment());
      String add = "{\"action\":\"add\",\"value\":5}";
      for (int i = 0; i < 3; i++) {
        Rest.Reply reply = task.post("/api/v1/coord/counter/n", add, "Idempotency-Key", "shell:7");
        assertThat(reply.text()).contains("\"value\":5");
      }
      assertThat(task.post("/api/v1/coord/counter/n", add, "Idempotency-Key", "shell:8").text())
          .contains("\"value\":10");
      assertThat(
              task.post("/api/v1/coord/counter/n", add, "Idempotency-Key", "shell:7").errorField())
          .isEqualTo("Idempotency-Key");
      assertThat(task.post("/api/v1/coord/counter/n", add, "Idempotency-Key", "a b").errorField())
          .isEqualTo("Idempotency-Key");
    }
  }

  /** A little work goes out before the disk has it (decision 0022). */
  @Test
  void a_task_is_believed_before_the_disk_knows_of_it() {
    try (TestServer server = TestServer.start(folder);
        TestAgent agent = server.agent("worker")) {
      String token = agent.nextWelcome().getBlobToken();
      for (int i = 0; i < 100; i++) {
        var submitted = CompletableFuture.supplyAsync(() -> server.admin().submit(ONE));
        Assignment assignment = agent.nextAssignment();
        Rest.Reply reply =
            act(task(server, token, assignment), "counter/n", "{\"action\":\"add\",\"value\":1}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        submitted.join();
        agent.finish(TestAgent.success(assignment));
        agent.nextConfirmed();
      }
    }
  }

  @Test
  void what_is_wrong_is_told() {
    try (TestServer server = TestServer.start(folder);
        TestAgent agent = server.agent("worker")) {
      String token = agent.nextWelcome().getBlobToken();
      server.admin().submit(JOB);
      Rest task = task(server, token, agent.nextAssignment());
      assertThat(act(task, "lock/x", "{\"action\":\"open\"}").errorField()).isEqualTo("action");
      assertThat(act(task, "barrier/x", "{\"action\":\"enter\"}").errorField()).isEqualTo("size");
      assertThat(act(task, "lock/x", "{\"action\":\"acquire\",\"wait\":61}").errorField())
          .isEqualTo("wait");
      assertThat(act(server.admin(), "lock/x", "{\"action\":\"acquire\"}").errorField())
          .isEqualTo("scope");
      assertThat(
              act(server.admin(), "lock/x", "{\"action\":\"acquire\",\"scope\":\"together\"}")
                  .errorField())
          .isEqualTo("session");
    }
  }

  @Test
  void a_program_takes_part_beside_the_tasks_that_name_its_scope() {
    try (TestServer server = TestServer.start(folder);
        TestAgent agent = server.agent("worker")) {
      String token = agent.nextWelcome().getBlobToken();
      server.admin().submit(ONE);
      Rest task = task(server, token, agent.nextAssignment());
      String ofTask = "\"scope\":\"together\"}";
      String ofProgram = "\"session\":\"of-a-program\"," + ofTask;
      assertThat(act(server.admin(), "lock/l", "{\"action\":\"acquire\"," + ofProgram).text())
          .contains("\"held\":true");
      assertThat(act(task, "lock/l", "{\"action\":\"acquire\"," + ofTask).text())
          .contains("\"held\":false");
      assertThat(
              act(server.admin(), "lock/l", "{\"action\":\"acquire\",\"member\":2," + ofProgram)
                  .text())
          .contains("\"held\":false");
      assertThat(act(server.admin(), "group/g", "{\"action\":\"join\"," + ofProgram).text())
          .contains("program-of-a-pro.1");
      assertThat(act(server.admin(), "program/this", "{\"action\":\"stay\"," + ofProgram).text())
          .contains("\"done\":true");
      act(server.admin(), "lock/l", "{\"action\":\"release\"," + ofProgram);
      assertThat(act(task, "lock/l", "{\"action\":\"acquire\"," + ofTask).text())
          .contains("\"held\":true");
    }
  }
}
