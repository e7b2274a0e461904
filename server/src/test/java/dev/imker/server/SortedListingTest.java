package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Orders by a figure of a job that is large enough for columns: open, settled, on disk, removed.
 */
class SortedListingTest {
  private static final int TASKS = 3_000;

  @TempDir Path folder;

  private static List<Integer> numbers(TestServer server, long job, String query) {
    JsonNode page = server.admin().get("/api/v1/jobs/" + job + "/tasks?" + query).json();
    List<Integer> numbers = new ArrayList<>();
    page.get("tasks").forEach(task -> numbers.add(task.get("number").asInt()));
    return numbers;
  }

  @Test
  void order_is_the_same_in_memory_and_on_disk() {
    try (TestServer server = TestServer.start(folder)) {
      long job =
          server
              .admin()
              .submit(
                  "{\"command\":[\"x\"],\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":%d}}]}"
                      .formatted(TASKS));
      List<Integer> longest = List.of(3, 1, 4, 2);
      try (TestAgent agent = server.agent("a")) {
        for (int i = 0; i < longest.size(); i++) {
          Assignment task = agent.nextAssignment();
          int number = task.getLease().getIndex() + 1;
          long millis = 100_000L * (longest.size() - longest.indexOf(number));
          Finished done = TestAgent.success(task);
          agent.finish(done.toBuilder().setStartedMillis(done.getEndedMillis() - millis).build());
          agent.nextConfirmed();
        }
        assertThat(numbers(server, job, "sort=-duration&limit=4")).isEqualTo(longest);
      }
      server.admin().post("/api/v1/jobs/" + job + "/cancel", "{}");
      assertOrder(server, job, longest);
      Path file = folder.resolve("columns").resolve(job + ".columns");
      await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(file));
      server.restart();
      assertOrder(server, job, longest);
      server.admin().method("DELETE", "/api/v1/jobs/" + job);
      await().atMost(Duration.ofSeconds(60)).until(() -> !Files.exists(file));
    }
  }

  private static void assertOrder(TestServer server, long job, List<Integer> longest) {
    assertThat(numbers(server, job, "sort=-duration&limit=4&state=DONE")).isEqualTo(longest);
    assertThat(numbers(server, job, "sort=duration&limit=2&from=3"))
        .containsExactly(longest.get(1), longest.get(0));
    List<Integer> all = numbers(server, job, "sort=-attempts&limit=10000");
    assertThat(all).hasSize(TASKS).doesNotHaveDuplicates();
    assertThat(numbers(server, job, "sort=-duration&state=CANCELLED&from=2996&limit=9"))
        .containsExactly(TASKS);
  }
}
