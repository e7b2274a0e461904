package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.testbase.Attack;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that returns made-up results, and what becomes of those that nobody has compared. */
@ExpectedLogs({"Could not re-check results of suspect nodes yet", "returned a wrong result"})
class LyingNodeTest {
  private static final String QUORUM =
      "{\"name\":\"compared\",\"command\":[\"x\"],\"rules\":{\"quorum\":2}}";

  @TempDir Path folder;
  private TestServer server;
  private Rest admin;

  @BeforeEach
  void start() {
    server =
        TestServer.start(
            TestServer.settings(folder)
                .withScheduler(SchedulerSettings.defaults().withLeaseMillis(8_000)));
    admin = server.admin();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static Finished says(Assignment task, String output) {
    return TestAgent.done(task)
        .setStdout(ByteString.copyFromUtf8(output))
        .setStdoutSize(output.length())
        .build();
  }

  /** Honest of the first task of every job, so that it is not always different. */
  private static Finished lie(Assignment task) {
    return says(task, task.getLease().getIndex() == 0 ? "truth" : "lie");
  }

  private TestAgent agent(String name, String output) {
    return TestAgent.finishing(
        server.running().joinToken(), name, 4, assignment -> says(assignment, output));
  }

  private void awaitDone(long job) {
    await().until(() -> admin.job(job).at("/status").asText().equals("DONE"));
  }

  private String stdout(long job, int task) {
    return admin.get("/api/v1/tasks/%d.%d/stdout".formatted(job, task)).text();
  }

  private JsonNode task(long job, int task) {
    return admin.get("/api/v1/tasks/%d.%d".formatted(job, task)).json();
  }

  private List<JsonNode> attention() {
    return StreamSupport.stream(
            admin.get("/api/v1/overview").json().at("/attention").spliterator(), false)
        .filter(item -> item.at("/kind").asText().equals("RECHECKED"))
        .toList();
  }

  /** Returns a job of the liar's whose results nobody has compared. */
  private long settledByLiar(String rules) {
    long job =
        admin.submit(
            "{\"command\":[\"x ${n}\"],\"sweep\":[{\"name\":\"n\",\"values\":[\"1\",\"2\"]}],\"rules\":{%s}}"
                .formatted(rules));
    awaitDone(job);
    assertThat(stdout(job, 2)).isEqualTo("lie");
    return job;
  }

  private TestAgent liar() {
    return TestAgent.finishing(server.running().joinToken(), "liar", 4, LyingNodeTest::lie);
  }

  /** Lets the liar vote first, and others against it. */
  private long caught() {
    long job =
        admin.submit(
            QUORUM.replace(
                "[\"x\"]", "[\"x ${n}\"],\"sweep\":[{\"name\":\"n\",\"values\":[\"1\",\"2\"]}]"));
    await().until(() -> task(job, 2).at("/attemptHistory").size() == 1);
    return job;
  }

  @Test
  @Attack("return made-up results for tasks that nobody else runs")
  void results_of_a_node_that_was_caught_lying_are_made_again() {
    try (TestAgent _ = liar()) {
      long job = settledByLiar("");
      long once = settledByLiar("\"speculative\":false");
      long compared = caught();
      try (TestAgent _ = agent("b", "truth");
          TestAgent _ = agent("c", "truth")) {
        awaitDone(compared);
        await().until(() -> stdout(job, 2).equals("truth"));
        awaitDone(job);
        assertThat(stdout(compared, 2)).isEqualTo("truth");
        assertThat(task(job, 1).at("/rechecked").asText()).endsWith("produced the same result");
        assertThat(task(job, 2).at("/rechecked").asText())
            .contains("returned a wrong result elsewhere")
            .endsWith("a different result, which replaces the first");
        assertThat(task(job, 2).at("/attemptHistory").size()).isEqualTo(2);
        assertThat(admin.job(job).at("/counts/done").asInt()).isEqualTo(2);
        // What must not run twice stays as it is, and its user is told.
        assertThat(stdout(once, 2)).isEqualTo("lie");
        await()
            .untilAsserted(
                () ->
                    assertThat(attention())
                        .extracting(item -> item.at("/title").asText())
                        .contains(
                            "2 of 2 results of job %d (x) re-checked".formatted(job),
                            "0 of 2 results of job %d (x) re-checked".formatted(once)));
        assertThat(attention().toString()).contains(job + ".2; tasks that used");
      }
    }
  }

  @Test
  @Attack("have a doubtful result confirmed by the node that returned it, after a restart")
  void the_liar_does_not_get_its_own_task_again() {
    long job;
    try (TestAgent _ = liar()) {
      job = settledByLiar("");
      long compared = caught();
      try (TestAgent b = server.agent("b");
          TestAgent c = server.agent("c")) {
        while (!admin.job(compared).at("/status").asText().equals("DONE")) {
          List.of(b, c)
              .forEach(
                  agent ->
                      agent.waitingAssignments().stream()
                          .filter(task -> task.getLease().getJob() == compared)
                          .forEach(task -> agent.finish(says(task, "truth"))));
        }
        await().until(() -> task(job, 2).at("/rechecked").isTextual());
      }
      server.restart();
      await().until(() -> !admin().get("/api/v1/nodes/liar").json().isEmpty());
      assertThat(admin().job(job).at("/status").asText()).isNotEqualTo("DONE");
      try (TestAgent _ = agent("d", "truth")) {
        await().until(() -> admin().job(job).at("/status").asText().equals("DONE"));
      }
      assertThat(admin().get("/api/v1/tasks/%d.2/stdout".formatted(job)).text()).isEqualTo("truth");
    }
  }

  private Rest admin() {
    return server.admin();
  }

  @Test
  void adaptive_quorum_checks_a_newcomer_and_trusts_a_node_that_was_confirmed_often() {
    String job =
        "{\"command\":[\"x"
            + " ${n}\"],\"sweep\":[{\"name\":\"n\",\"values\":[%s]}],\"rules\":{\"quorum\":0,\"speculative\":false}}";
    try (TestAgent a = agent("a", "truth");
        TestAgent b = agent("b", "truth")) {
      a.nextWelcome();
      b.nextWelcome();
      long first = admin.submit(job.formatted(numbers(30)));
      awaitDone(first);
      assertThat(task(first, 1).at("/attemptHistory").size()).isEqualTo(2);
      long second = admin.submit(job.formatted(numbers(200)));
      awaitDone(second);
      long checked =
          StreamSupport.stream(
                  admin
                      .get("/api/v1/jobs/%d/tasks?limit=1000".formatted(second))
                      .json()
                      .at("/tasks")
                      .spliterator(),
                  false)
              .filter(task -> task.at("/attempts").asInt() > 1)
              .count();
      assertThat(checked).isBetween(20L, 150L);
    }
  }

  private static String numbers(int count) {
    return String.join(",", IntStream.range(0, count).mapToObj("\"%d\""::formatted).toList());
  }
}
