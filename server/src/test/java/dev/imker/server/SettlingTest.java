package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers that are held back until a job has settled. */
@Timeout(180)
class SettlingTest {
  private static final String NOOPS =
      "{\"kind\":\"NOOP\",\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":20}}]}";

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

  @Test
  void a_submission_that_waits_is_answered_with_the_settled_job() {
    try (TestAgent agent = server.agent("a")) {
      agent.finishAll(TestAgent::success);
      Rest.Reply reply = admin.post("/api/v1/jobs?wait=60", NOOPS);
      assertThat(reply.status()).isEqualTo(201);
      assertThat(reply.json().get("status").asText()).isEqualTo("DONE");
      assertThat(reply.json().at("/counts/done").asInt()).isEqualTo(20);
    }
  }

  @Test
  void looking_at_a_job_can_wait_for_its_end() {
    long job = admin.submit(NOOPS);
    CompletableFuture<Rest.Reply> waiting =
        CompletableFuture.supplyAsync(() -> admin.get("/api/v1/jobs/" + job + "?wait=60"));
    try (TestAgent agent = server.agent("a")) {
      agent.finishAll(TestAgent::success);
      assertThat(waiting.join().json().get("status").asText()).isEqualTo("DONE");
    }
  }

  @Test
  void a_wait_that_ends_too_early_shows_the_job_as_it_is() {
    Rest.Reply reply = admin.post("/api/v1/jobs?wait=1", NOOPS);
    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.json().get("status").asText()).isEqualTo("QUEUED");
    assertThat(reply.json().at("/counts/ready").asInt()).isEqualTo(20);
  }

  @Test
  void a_settled_job_is_shown_at_once_and_an_unknown_one_is_an_error() {
    long job = admin.submit(NOOPS);
    admin.post("/api/v1/jobs/" + job + "/cancel", "{}");
    Rest.Reply reply = admin.get("/api/v1/jobs/" + job + "?wait=60");
    assertThat(reply.json().get("status").asText()).isEqualTo("CANCELLED");
    assertThat(admin.get("/api/v1/jobs/77?wait=60").status()).isEqualTo(404);
    assertThat(admin.get("/api/v1/jobs/77?wait=61").status()).isEqualTo(400);
  }
}
