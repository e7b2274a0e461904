package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How tasks ended, as programs hear of it. */
class OutcomesTest {
  private static final String SESSION = "session-1234";

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

  private static long submit(String session, String key, int tasks) {
    String spec =
        "{\"command\":[\"x\"],\"rules\":{\"maxFailures\":1},\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":"
            + tasks
            + "}}]}";
    return admin
        .send(
            admin
                .request("/api/v1/jobs?session=" + session)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(spec)))
        .json()
        .get("id")
        .asLong();
  }

  private static Finished written(Assignment assignment) {
    ByteString bytes =
        ByteString.copyFrom(new byte[] {(byte) 0xff, 0, (byte) assignment.getLease().getIndex()});
    return TestAgent.done(assignment).setStdout(bytes).setStdoutSize(bytes.size()).build();
  }

  private static List<JsonNode> until(Iterator<String> lines, String state) throws IOException {
    List<JsonNode> seen = new ArrayList<>();
    while (lines.hasNext()) {
      if (lines.next().equals("event: outcomes")) {
        Rest.JSON.readTree(lines.next().substring("data: ".length())).forEach(seen::add);
        if (seen.getLast().get("state").asText().equals(state)) {
          return seen;
        }
      }
    }
    throw new AssertionError("the stream ended");
  }

  @Test
  void a_session_hears_of_its_own_tasks_with_what_they_wrote() throws Exception {
    try (TestAgent agent = server.agent("outcomes");
        Stream<String> stream =
            Rest.CLIENT
                .send(
                    admin.request("/api/v1/outcomes?session=" + SESSION).build(),
                    BodyHandlers.ofLines())
                .body()) {
      Iterator<String> lines = stream.iterator();
      assertThat(lines.next()).isEqualTo("event: open");
      agent.finishAll(OutcomesTest::written);
      submit("other-session", SESSION + "/6", 1);
      long job = submit(SESSION, "7", 2);
      List<JsonNode> seen = until(lines, "SETTLED");
      assertThat(seen).allMatch(outcome -> outcome.get("key").asText().equals("7"));
      assertThat(seen).allMatch(outcome -> outcome.get("job").asLong() == job);
      assertThat(seen).hasSize(3);
      assertThat(seen.getFirst().get("state").asText()).isEqualTo("DONE");
      int index = seen.getFirst().get("number").asInt() - 1;
      assertThat(seen.getFirst().get("stdout").binaryValue())
          .isEqualTo(new byte[] {(byte) 0xff, 0, (byte) index});
      JsonNode page = admin.get("/api/v1/jobs/" + job + "/outcomes?limit=1").json();
      assertThat(page.get("outcomes")).hasSize(1);
      assertThat(page.get("next").asInt()).isEqualTo(2);
    }
  }

  @Test
  void a_job_is_followed_to_its_end_without_what_its_tasks_wrote() throws Exception {
    try (TestAgent agent = server.agent("followed")) {
      long job = submit("some-session", "followed", 2);
      try (Stream<String> stream =
          Rest.CLIENT
              .send(admin.request("/api/v1/outcomes?job=" + job).build(), BodyHandlers.ofLines())
              .body()) {
        agent.finish(written(agent.nextAssignment()));
        agent.finish(written(agent.nextAssignment()));
        List<String> events = new ArrayList<>();
        List<JsonNode> outcomes = new ArrayList<>();
        JsonNode last = Rest.JSON.missingNode();
        for (Iterator<String> lines = stream.iterator(); lines.hasNext(); ) {
          String line = lines.next();
          if (line.startsWith("event: ")) {
            events.add(line.substring("event: ".length()));
            last = Rest.JSON.readTree(lines.next().substring("data: ".length()));
            if (events.getLast().equals("outcomes")) {
              last.forEach(outcomes::add);
            }
          }
        }
        assertThat(events).startsWith("open", "job").endsWith("job");
        assertThat(last.path("status").asText()).isEqualTo("DONE");
        assertThat(outcomes)
            .extracting(outcome -> outcome.path("number").asInt())
            .containsExactlyInAnyOrder(1, 2, 0);
        assertThat(outcomes).noneMatch(outcome -> outcome.has("stdout"));
      }
    }
  }

  @Test
  void a_session_has_a_name() {
    assertThat(admin.get("/api/v1/outcomes").errorField()).isEqualTo("session");
    assertThat(admin.get("/api/v1/outcomes?session=x/y").status()).isEqualTo(400);
    assertThat(admin.get("/api/v1/outcomes?session=session-1234&job=1").status()).isEqualTo(400);
    assertThat(admin.get("/api/v1/outcomes?job=4711").status()).isEqualTo(404);
    assertThat(admin.get("/api/v1/jobs/4711/outcomes").status()).isEqualTo(404);
  }
}
