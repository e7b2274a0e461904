package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.LogChunk;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is told while it happens. */
@Timeout(180)
class EventsTest {
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

  private Stream<String> lines(String path) throws IOException, InterruptedException {
    return Rest.CLIENT.send(admin.request(path).build(), BodyHandlers.ofLines()).body();
  }

  private static JsonNode data(String line) throws IOException {
    return Rest.JSON.readTree(line.substring("data: ".length()));
  }

  @Test
  void the_events_of_a_job_end_with_its_last_state() throws Exception {
    long job =
        admin.submit(
            "{\"kind\":\"NOOP\",\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":5000}}]}");
    List<JsonNode> seen = new ArrayList<>();
    try (TestAgent agent = server.agent("a");
        Stream<String> lines = lines("/api/v1/events?job=" + job)) {
      agent.finishAll(TestAgent::success);
      for (Iterator<String> it = lines.iterator(); it.hasNext(); ) {
        String line = it.next();
        if (line.startsWith("data: ")) {
          seen.add(data(line));
        }
      }
    }
    assertThat(seen.getLast().get("status").asText()).isEqualTo("DONE");
    assertThat(seen.getLast().at("/counts/done").asInt()).isEqualTo(5000);
    assertThat(seen).as("changes are put together").hasSizeLessThan(500);
  }

  @Test
  void events_without_a_job_tell_of_all_jobs_and_nodes() throws Exception {
    try (Stream<String> lines = lines("/api/v1/events")) {
      Iterator<String> it = lines.iterator();
      long job = admin.submit("{\"command\":[\"x\"]}");
      assertThat(next(it, "job").get("id").asLong()).isEqualTo(job);
      try (TestAgent agent = server.agent("new")) {
        JsonNode nodes = next(it, "nodes");
        while (nodes.get("nodes").isEmpty()) {
          nodes = next(it, "nodes");
        }
        assertThat(nodes.at("/nodes/0/name").asText()).isEqualTo("host-new");
        assertThat(agent.nextAssignment().getLease().getJob()).isEqualTo(job);
      }
    }
  }

  private static JsonNode next(Iterator<String> lines, String event) throws IOException {
    while (lines.hasNext()) {
      if (lines.next().equals("event: " + event)) {
        return data(lines.next());
      }
    }
    throw new AssertionError("no event " + event);
  }

  @Test
  void events_of_an_unknown_job_are_an_error() {
    assertThat(admin.get("/api/v1/events?job=77").status()).isEqualTo(404);
  }

  @Test
  void the_output_of_a_running_task_is_followed_to_its_end() throws Exception {
    try (TestAgent agent = server.agent("a")) {
      long job = admin.submit("{\"command\":[\"x\"]}");
      Assignment task = agent.nextAssignment();
      try (Stream<String> lines = lines("/api/v1/tasks/" + job + ".1/stdout?follow=true")) {
        FollowLog follow = agent.nextFollow();
        assertThat(follow.getOn()).isTrue();
        assertThat(follow.getStdoutOffset()).isZero();
        Iterator<String> it = lines.iterator();
        agent.log(task.getLease(), LogChunk.Stream.STDOUT, 0, "one\n");
        assertThat(it.next()).isEqualTo("one");
        agent.log(task.getLease(), LogChunk.Stream.STDERR, 0, "hidden\n");
        agent.log(task.getLease(), LogChunk.Stream.STDOUT, 0, "one\ntwo\n");
        assertThat(it.next()).isEqualTo("two");
        agent.finish(
            TestAgent.done(task)
                .setStdout(ByteString.copyFromUtf8("one\ntwo\nthree\n"))
                .setStdoutSize(14)
                .build());
        assertThat(it.next()).isEqualTo("three");
        assertThat(it.hasNext()).isFalse();
      }
    }
  }
}
