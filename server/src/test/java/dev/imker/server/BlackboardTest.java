package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.Attack;
import dev.imker.wire.proto.Assignment;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks talk to each other, with real leases and the real protocol. */
class BlackboardTest {
  @TempDir Path folder;
  private TestServer server;
  private People people;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
    people = new People(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Rest task(String agentToken, Assignment assignment) {
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

  @Test
  void tasks_of_a_project_share_data_as_long_as_they_run() {
    Rest eva = people.add("eva", "USER");
    String job = "{\"command\":[\"x\"],\"project\":\"%s\",\"rules\":{\"speculative\":false}}";
    eva.submit(job.formatted("p"));
    eva.submit(job.formatted("p"));
    try (TestAgent agent = server.agent("board")) {
      String token = agent.nextWelcome().getBlobToken();
      Assignment first = agent.nextAssignment();
      Rest one = task(token, first);
      Rest two = task(token, agent.nextAssignment());
      Rest.Reply posted = one.put("/api/v1/board/best?description=The+Best", bytes("42"));
      assertThat(posted.status()).as(posted.text()).isEqualTo(200);
      assertThat(posted.json().get("postedBy").asText()).isEqualTo("1.1");
      assertThat(two.get("/api/v1/board?q=BEST").json().at("/items/0/name").asText())
          .isEqualTo("best");
      assertThat(two.get("/api/v1/board/best").text()).isEqualTo("42");
      assertThat(two.get("/api/v1/board/none").status()).isEqualTo(404);
      assertThat(eva.get("/api/v1/board/best?project=p").text()).isEqualTo("42");
      assertThat(eva.get("/api/v1/board/best").status()).isEqualTo(404);
      server.restart();
      assertThat(task(token, first).get("/api/v1/board/best").text()).isEqualTo("42");
      agent.nextWelcome();
      agent.finish(TestAgent.success(first));
      agent.nextConfirmed();
      Rest.Reply late = task(token, first).get("/api/v1/board/best");
      assertThat(late.status()).isEqualTo(401);
      assertThat(late.errorMessage()).contains("1.1 has ended");
    }
  }

  @Test
  @Attack("use the token of a task for anything but its own blackboard")
  void a_task_sees_nothing_of_another_project_and_opens_nothing_else() {
    people.add("eva", "USER").submit("{\"command\":[\"x\"]}");
    people.add("ann", "USER").put("/api/v1/board/secret", bytes("of ann"));
    try (TestAgent agent = server.agent("board")) {
      String token = agent.nextWelcome().getBlobToken();
      Rest task = task(token, agent.nextAssignment());
      assertThat(task.get("/api/v1/board").json().get("items")).isEmpty();
      assertThat(task.get("/api/v1/board/secret?project=ann/default").status()).isEqualTo(404);
      for (String path : List.of("/api/v1/jobs", "/api/v1/me", "/api/v1/openapi.json")) {
        assertThat(task.get(path).status()).as(path).isEqualTo(403);
      }
      assertThat(people.as("eva").get("/api/v1/board?project=ann/default").status()).isEqualTo(403);
    }
  }

  @Test
  @Attack("forge the token of a task")
  void a_forged_or_altered_token_opens_nothing() {
    people.add("eva", "USER").submit("{\"command\":[\"x\"]}");
    try (TestAgent agent = server.agent("board")) {
      String token = agent.nextWelcome().getBlobToken();
      Assignment assignment = agent.nextAssignment();
      var lease = assignment.getLease();
      String other =
          lease.getJob()
              + "-"
              + lease.getIndex()
              + "-"
              + (lease.getToken() + 1)
              + "-"
              + Long.toHexString(lease.getIncarnation());
      assertThat(server.withToken(People.sign(other, token)).get("/api/v1/board").status())
          .isEqualTo(401);
      String held =
          lease.getJob()
              + "-"
              + lease.getIndex()
              + "-"
              + lease.getToken()
              + "-"
              + Long.toHexString(lease.getIncarnation());
      String good = People.sign(held, token);
      assertThat(server.withToken(good).get("/api/v1/board").status()).isEqualTo(200);
      assertThat(server.withToken(good.replace(held, other)).get("/api/v1/board").status())
          .isEqualTo(401);
      String ofUser = People.sign(held, token.replaceFirst("imker-s-.", "imker-s-x"));
      assertThat(server.withToken(ofUser).get("/api/v1/board").status()).isEqualTo(401);
    }
  }

  @Test
  @Attack("fill the blackboard")
  void too_much_is_refused_and_what_is_taken_off_is_gone() {
    Rest eva = people.add("eva", "USER");
    assertThat(eva.put("/api/v1/board/a%20b", bytes("x")).errorField()).isEqualTo("name");
    assertThat(eva.put("/api/v1/board/a?days=0", bytes("x")).errorField()).isEqualTo("days");
    server.admin().putJson("/api/v1/users/eva", "{\"quota\":{\"storageBytes\":10}}");
    assertThat(eva.put("/api/v1/board/a", new byte[11]).errorCode()).isEqualTo("quota_exceeded");
    assertThat(eva.put("/api/v1/board/a", new byte[10]).status()).isEqualTo(200);
    assertThat(eva.method("DELETE", "/api/v1/board/a").status()).isEqualTo(204);
    assertThat(eva.method("DELETE", "/api/v1/board/a").status()).isEqualTo(404);
    server.admin().putJson("/api/v1/users/eva", "{\"quota\":{\"storageBytes\":-1}}");
    Rest.Reply large =
        eva.send(
            eva.request("/api/v1/board/large")
                .PUT(BodyPublishers.ofByteArray(new byte[(64 << 20) + 1])));
    assertThat(large.errorCode()).isEqualTo("too_much");
  }
}
