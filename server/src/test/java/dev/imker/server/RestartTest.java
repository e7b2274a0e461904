package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.imker.store.sqlite.FolderInUseException;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Welcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that stops and starts again goes on where it was. */
@ExpectedLogs("this database has no record of")
class RestartTest {
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
  void a_running_task_survives_a_restart_with_its_lease() {
    long job = server.admin().submit("{\"command\":[\"x\"]}");
    try (TestAgent agent = server.agent("a")) {
      Assignment task = agent.nextAssignment();
      long firstEpoch = agent.nextWelcome().getEpoch();
      server.restart();
      assertThat(agent.nextWelcome().getEpoch()).isGreaterThan(firstEpoch);
      assertThat(server.admin().job(job).at("/counts/running").asInt()).isEqualTo(1);
      agent.finish(TestAgent.success(task));
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();
      assertThat(server.admin().job(job).get("status").asText()).isEqualTo("DONE");
      assertThat(server.admin().get("/api/v1/tasks/" + job + ".1").json().get("losses").asInt())
          .isZero();
    }
  }

  /** Epochs, tokens and job ids begin again from the backup; only the incarnation differs. */
  @Test
  void a_restored_backup_takes_nothing_of_what_was_done_after_it() throws Exception {
    Path backup = folder.resolve("backup.db");
    server.stopAnd(() -> copy(folder.resolve("imker.db"), backup));
    long lost = server.admin().submit("{\"command\":[\"old\"]}");
    try (TestAgent agent = server.agent("a")) {
      Assignment old = agent.nextAssignment();
      Welcome before = agent.nextWelcome();
      server.stopAnd(() -> copy(backup, folder.resolve("imker.db")));
      assertThat(agent.nextWelcome().getEpoch()).isEqualTo(before.getEpoch());
      long again = server.admin().submit("{\"command\":[\"new\"]}");
      assertThat(again).isEqualTo(lost);
      Assignment fresh = agent.nextAssignment();
      assertThat(fresh.getLease().getToken()).isEqualTo(old.getLease().getToken());
      agent.finish(
          TestAgent.done(old).setStdout(ByteString.copyFromUtf8("of the old job")).build());
      assertThat(agent.nextConfirmed().getAccepted()).isFalse();
      assertThat(server.admin().job(again).at("/counts/running").asInt()).isEqualTo(1);
      agent.finish(TestAgent.success(fresh));
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();
      assertThat(server.admin().get("/api/v1/overview").json().findValuesAsText("kind"))
          .contains("RESTORED");
    }
  }

  private static void copy(Path from, Path to) {
    try {
      Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void jobs_results_and_settled_counts_are_there_after_a_restart() {
    Rest admin = server.admin();
    long job =
        admin.submit("{\"command\":[\"x\"],\"sweep\":[{\"name\":\"n\",\"values\":[\"1\",\"2\"]}]}");
    try (TestAgent agent = server.agent("a")) {
      agent.finishAll(TestAgent::success);
      agent.nextConfirmed();
      agent.nextConfirmed();
    }
    long waiting = admin.submit("{\"command\":[\"y\"],\"priority\":2}");
    admin.post("/api/v1/jobs/" + waiting + "/priority", "{\"priority\":8}");
    JsonNode before = admin.get("/api/v1/jobs").json();
    server.restart();
    assertThat(server.admin().get("/api/v1/jobs").json()).isEqualTo(before);
    assertThat(server.admin().get("/api/v1/pool").json().at("/tasks/done").asInt()).isEqualTo(2);
    assertThat(server.admin().job(waiting).get("priority").asInt()).isEqualTo(8);
    assertThat(server.admin().job(job).get("status").asText()).isEqualTo("DONE");
  }

  @Test
  void a_settled_job_can_be_released_after_a_restart() {
    long job = server.admin().submit("{\"command\":[\"x\"]}");
    server.admin().post("/api/v1/jobs/" + job + "/cancel", "");
    assertThat(server.admin().job(job).get("status").asText()).isEqualTo("CANCELLED");
    server.restart();
    JsonNode changed = server.admin().post("/api/v1/jobs/" + job + "/release", "").json();
    assertThat(changed.get("changed").asInt()).isEqualTo(1);
    try (TestAgent agent = server.agent("a")) {
      agent.finish(TestAgent.success(agent.nextAssignment()));
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();
    }
    assertThat(server.admin().job(job).get("status").asText()).isEqualTo("DONE");
  }

  @Test
  void tokens_and_logins_stay_valid() {
    String admin = server.running().adminToken();
    String join = server.running().joinToken();
    server.restart();
    assertThat(server.running().adminToken()).isEqualTo(admin);
    assertThat(server.running().joinToken()).isEqualTo(join);
  }

  @Test
  void a_lost_token_file_makes_a_new_token_and_the_old_one_void() throws Exception {
    String old = server.running().adminToken();
    Files.delete(folder.resolve("admin-token"));
    server.restart();
    assertThat(server.running().adminToken()).isNotEqualTo(old);
    assertThat(server.withToken(old).get("/api/v1/pool").status()).isEqualTo(401);
    assertThat(server.admin().get("/api/v1/pool").status()).isEqualTo(200);
  }

  private Rest.Reply submitWithKey(String key, String job) {
    return server
        .admin()
        .send(
            server
                .admin()
                .request("/api/v1/jobs")
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(job)));
  }

  @Test
  void the_same_key_makes_one_job_also_over_a_restart() {
    String job = "{\"command\":[\"x\"]}";
    Rest.Reply first = submitWithKey("k1", job);
    Rest.Reply second = submitWithKey("k1", job);
    server.restart();
    Rest.Reply third = submitWithKey("k1", job);
    assertThat(first.status()).isEqualTo(201);
    assertThat(second.status()).isEqualTo(200);
    assertThat(third.status()).isEqualTo(200);
    assertThat(third.json().get("id")).isEqualTo(first.json().get("id"));
    assertThat(submitWithKey("k1", "{\"command\":[\"other\"]}").status()).isEqualTo(409);
    assertThat(submitWithKey("k2", job).status()).isEqualTo(201);
  }

  @Test
  void a_second_server_on_the_folder_says_so() {
    assertThatThrownBy(() -> ImkerServer.start(TestServer.settings(folder)))
        .isInstanceOf(FolderInUseException.class);
  }

  @Test
  void a_taken_port_is_named_and_the_folder_is_free_again(@TempDir Path other) {
    int port = server.running().port();
    ServerSettings taken = TestServer.settings(other).withPort(port);
    assertThatThrownBy(() -> ImkerServer.start(taken))
        .isInstanceOf(PortInUseException.class)
        .hasMessageContaining(Integer.toString(port))
        .hasMessageContaining("--port");
    TestServer.start(other).close();
  }

  @Test
  void the_task_of_an_agent_that_does_not_come_back_after_a_restart_is_given_again() {
    server.close();
    server = TestServer.impatient(folder);
    long job = server.admin().submit("{\"command\":[\"x\"]}");
    try (TestAgent agent = server.agent("gone")) {
      agent.nextAssignment();
    }
    server.restart();
    try (TestAgent other = server.agent("other")) {
      other.finish(TestAgent.success(other.nextAssignment()));
      other.nextConfirmed();
    }
    await().until(() -> server.admin().job(job).get("status").asText().equals("DONE"));
  }
}
