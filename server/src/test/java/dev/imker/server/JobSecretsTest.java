package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.Attack;
import dev.imker.wire.proto.Assignment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of users on their way to tasks, and nowhere else. */
class JobSecretsTest {
  private static final String VALUE = "hunter2-of-ulla";
  private static final String JOB =
      "{\"command\":[\"x\"],\"env\":{\"TOKEN\":\"${secret:my-token}\"}}";

  @TempDir Path folder;
  private TestServer server;
  private Rest ulla;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
    ulla = new People(server).add("ulla", "USER");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void set(Rest who, String value) {
    assertThat(who.putJson("/api/v1/secrets/my-token", "{\"value\":\"" + value + "\"}").status())
        .isEqualTo(204);
  }

  @Test
  void a_secret_goes_with_the_assignment_also_after_a_restart() {
    set(ulla, VALUE);
    long job = ulla.submit(JOB);
    server.restart();
    try (TestAgent agent = server.agent("a")) {
      Assignment assignment = agent.nextAssignment();
      assertThat(assignment.getSecretsMap()).containsOnly(java.util.Map.entry("my-token", VALUE));
      assertThat(agent.template(job)).contains("${secret:my-token}").doesNotContain(VALUE);
      agent.finish(TestAgent.success(assignment));
    }
  }

  @Test
  @Attack("inherit the secrets of a removed account by its name")
  void a_new_account_of_the_same_name_has_none_of_the_old_ones_secrets() {
    set(ulla, VALUE);
    server.admin().method("DELETE", "/api/v1/users/ulla");
    Rest other = new People(server).add("ulla", "USER");
    assertThat(other.get("/api/v1/secrets").text()).doesNotContain("my-token");
    assertThat(other.post("/api/v1/jobs", JOB).text()).contains("my-token");
    assertThat(server.admin().get("/api/v1/jobs").text()).doesNotContain("\"user\":\"ulla\"");
  }

  @Test
  @Attack("read a secret back through any view, the audit log, an export or the database")
  void a_secret_is_nowhere_to_be_read() throws IOException {
    set(ulla, VALUE);
    long job = ulla.submit(JOB);
    for (String path :
        new String[] {
          "/api/v1/secrets",
          "/api/v1/jobs/" + job,
          "/api/v1/jobs/" + job + "/jobfile",
          "/api/v1/tasks/" + job + ".1",
          "/api/v1/audit",
          "/api/v1/export?job=" + job
        }) {
      assertThat(ulla.get(path).text()).as(path).doesNotContain(VALUE);
      assertThat(server.admin().get(path).text()).as(path).doesNotContain(VALUE);
    }
    assertThat(ulla.get("/api/v1/secrets").text()).contains("my-token");
    assertThat(ulla.get("/api/v1/secrets/my-token").status()).isEqualTo(405);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(VALUE);
      }
    }
  }

  @Test
  @Attack("use somebody else's secret in a job")
  void secrets_of_others_are_not_there() {
    set(ulla, VALUE);
    Rest otto = new People(server).add("otto", "USER");
    assertThat(otto.post("/api/v1/jobs", JOB).errorCode()).isEqualTo("no_secret");
    assertThat(server.admin().post("/api/v1/jobs", JOB).errorCode()).isEqualTo("no_secret");
    assertThat(otto.method("DELETE", "/api/v1/secrets/my-token").status()).isEqualTo(404);
    set(otto, "that of otto");
    otto.submit(JOB);
    try (TestAgent agent = server.agent("a")) {
      assertThat(agent.nextAssignment().getSecretsMap()).containsEntry("my-token", "that of otto");
    }
    assertThat(ulla.get("/api/v1/secrets").text()).contains("my-token");
  }

  @Test
  @Attack("have a secret put into a command line, which others can see")
  void only_variables_may_name_secrets() {
    set(ulla, VALUE);
    assertThat(
            ulla.post("/api/v1/jobs", "{\"command\":[\"echo ${secret:my-token}\"]}").errorMessage())
        .contains("not a parameter");
  }

  @Test
  void a_deleted_secret_is_told_at_the_submission_and_at_the_start() {
    set(ulla, VALUE);
    long job = ulla.submit(JOB);
    assertThat(ulla.method("DELETE", "/api/v1/secrets/my-token").status()).isEqualTo(204);
    assertThat(ulla.post("/api/v1/jobs", JOB).errorMessage()).contains("imker secret set my-token");
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      org.awaitility.Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(ulla.get("/api/v1/tasks/" + job + ".1").text())
                      .contains("The secret 'my-token' was deleted"));
      assertThat(agent.waitingAssignments()).isEmpty();
    }
  }

  @Test
  void a_secret_that_cannot_be_decrypted_fails_the_task_and_says_what_to_do() throws IOException {
    set(ulla, VALUE);
    long job = ulla.submit(JOB);
    Files.writeString(folder.resolve("secrets-key"), "another key\n");
    server.restart();
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      org.awaitility.Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(ulla.get("/api/v1/tasks/" + job + ".1").text())
                      .contains("\"FAILED\"", "a key that this server does not have"));
      assertThat(agent.waitingAssignments()).isEmpty();
    }
  }

  @Test
  void what_cannot_be_a_secret_is_refused() {
    assertThat(ulla.putJson("/api/v1/secrets/a%2Fb", "{\"value\":\"long enough\"}").status())
        .isIn(400, 404);
    assertThat(ulla.putJson("/api/v1/secrets/short", "{\"value\":\"abc\"}").errorField())
        .isEqualTo("value");
  }
}
