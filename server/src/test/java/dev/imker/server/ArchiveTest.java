package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.imker.testbase.Attack;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Removing, exporting and taking in jobs; retention over REST. */
class ArchiveTest {
  private static final byte[] RESULT = "the result".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;
  @TempDir Path otherFolder;
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

  private static Finished withResult(Assignment assignment, String blob) {
    Finished.Builder finished = TestAgent.success(assignment).toBuilder();
    finished.addResultsBuilder().setPath("out/r.txt").setSha256(blob).setSize(RESULT.length);
    finished.setStdout(ByteString.copyFromUtf8("hi")).setStdoutSize(2);
    return finished.build();
  }

  private long run(Rest who) {
    long job =
        who.submit(
            """
            {"name":"kept","command":["x"],"rules":{"maxFailures":2,"speculative":false},
             "sweep":[{"name":"n","range":{"from":1,"to":2}}]}\
            """);
    String blob = who.upload(RESULT);
    try (TestAgent agent = server.agent("worker")) {
      agent.finish(TestAgent.failure(agent.nextAssignment(), 3));
      agent.nextConfirmed();
      for (int i = 0; i < 2; i++) {
        agent.finish(withResult(agent.nextAssignment(), blob));
        agent.nextConfirmed();
      }
    }
    assertThat(who.job(job).get("status").asText()).isEqualTo("DONE");
    return job;
  }

  private static Rest.Reply take(Rest who, byte[] archive) {
    return who.send(
        who.request("/api/v1/import")
            .header("Content-Type", "application/zip")
            .POST(BodyPublishers.ofByteArray(archive)));
  }

  @Test
  void a_job_with_results_moves_to_another_pool() {
    Rest eva = people.add("eva", "USER");
    long job = run(eva);
    byte[] archive = People.require(200, eva.get("/api/v1/export?q=kept")).body();
    try (TestServer other = TestServer.start(otherFolder)) {
      Rest ann = new People(other).add("ann", "USER");
      JsonNode taken = People.require(201, take(ann, archive)).json().at("/jobs/0");
      long id = taken.get("job").asLong();
      assertThat(taken.get("was").asLong()).isEqualTo(job);
      for (int restart = 0; restart < 2; restart++) {
        Rest again = other.withToken(ann.token());
        JsonNode view = again.job(id);
        assertThat(view.get("user").asText()).isEqualTo("ann");
        assertThat(view.get("status").asText()).isEqualTo("DONE");
        assertThat(again.get("/api/v1/tasks/%d.2/results/out/r.txt".formatted(id)).body())
            .isEqualTo(RESULT);
        assertThat(again.get("/api/v1/tasks/%d.1/stdout".formatted(id)).text()).isEqualTo("hi");
        assertThat(
                again.get("/api/v1/tasks/%d.1".formatted(id)).json().get("attemptHistory").size()
                    + again
                        .get("/api/v1/tasks/%d.2".formatted(id))
                        .json()
                        .get("attemptHistory")
                        .size())
            .isEqualTo(3);
        assertThat(again.get("/api/v1/usage").json().get("usage")).isEmpty();
        other.restart();
      }
    }
  }

  @Test
  @Attack("import a damaged archive")
  void damaged_archives_and_unfinished_jobs_are_refused() {
    Rest eva = people.add("eva", "USER");
    long job = run(eva);
    byte[] archive = eva.get("/api/v1/export?q=" + job).body();
    assertThat(take(eva, "no zip".getBytes(StandardCharsets.UTF_8)).status()).isEqualTo(400);
    for (int quarters = 1; quarters <= 3; quarters++) {
      byte[] cut = java.util.Arrays.copyOf(archive, archive.length * quarters / 4);
      assertThat(take(eva, cut).status()).isEqualTo(400);
    }
    assertThat(eva.get("/api/v1/jobs").json().get("jobs"))
        .as("nothing is taken in part")
        .hasSize(1);
    long open = eva.submit("{\"command\":[\"x\"]}");
    assertThat(eva.get("/api/v1/export?q=" + open).errorCode()).isEqualTo("not_finished");
    assertThat(people.add("ann", "USER").get("/api/v1/export?q=" + job).status()).isEqualTo(404);
    assertThat(eva.method("DELETE", "/api/v1/jobs/" + open).errorCode()).isEqualTo("not_finished");
  }

  @Test
  void a_removed_job_is_gone_and_its_number_too() {
    Rest eva = people.add("eva", "USER");
    long job = run(eva);
    assertThat(eva.method("DELETE", "/api/v1/jobs/" + job).status()).isEqualTo(204);
    assertThat(eva.get("/api/v1/jobs/" + job).status()).isEqualTo(404);
    server.restart();
    assertThat(eva.get("/api/v1/tasks/" + job + ".1").status()).isEqualTo(404);
    assertThat(eva.submit("{\"command\":[\"x\"]}")).isGreaterThan(job);
  }

  @Test
  void retention_tells_and_then_removes_what_the_rules_do_not_keep() {
    Rest eva = people.add("eva", "USER");
    long job = run(eva);
    Rest admin = server.admin();
    assertThat(admin.post("/api/v1/retention/run", "{}").json().get("jobCount").asLong()).isZero();
    People.require(200, admin.putJson("/api/v1/retention", "{\"doneDays\":0,\"failedDays\":30}"));
    People.require(200, admin.putJson("/api/v1/retention", "{\"user\":\"eva\",\"doneDays\":9}"));
    assertThat(
            admin
                .post("/api/v1/retention/run", "{\"dryRun\":true}")
                .json()
                .get("jobCount")
                .asLong())
        .as("eva's own rule")
        .isZero();
    People.require(200, admin.putJson("/api/v1/retention", "{\"user\":\"eva\",\"doneDays\":0}"));
    JsonNode dry = admin.post("/api/v1/retention/run", "{\"dryRun\":true}").json();
    assertThat(dry.at("/jobs/0/job").asLong()).isEqualTo(job);
    assertThat(dry.at("/jobs/0/why").asText()).contains("0 days");
    assertThat(eva.get("/api/v1/jobs/" + job).status()).isEqualTo(200);
    assertThat(admin.post("/api/v1/retention/run", "{}").json().get("jobCount").asLong())
        .isEqualTo(1);
    assertThat(eva.get("/api/v1/jobs/" + job).status()).isEqualTo(404);
    assertThat(eva.get("/api/v1/retention").json().at("/users/eva/doneDays").asLong()).isZero();
  }
}
