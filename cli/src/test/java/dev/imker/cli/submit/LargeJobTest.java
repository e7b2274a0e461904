package dev.imker.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.PoolFixture;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.JobFileSet;
import dev.imker.jobfile.files.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred thousand tasks are handled as one thing. */
class LargeJobTest {
  private static final int TASKS = 100_000;

  @TempDir static Path folder;

  @Test
  void a_hundred_thousand_tasks_are_submitted_listed_filtered_and_cancelled() throws IOException {
    StringBuilder table = new StringBuilder("seed,city\n");
    for (int i = 0; i < TASKS; i++) {
      table.append(i).append(",c").append(i % 10).append('\n');
    }
    Files.writeString(folder.resolve("table.csv"), table);
    Path file = folder.resolve("large.yaml");
    Files.writeString(
        file, "project: large\ncommand: run ${seed} ${city}\nsweep: {csv: table.csv}\n");
    try (PoolFixture pool = PoolFixture.start(folder.resolve("pool"));
        ApiClient api = pool.api()) {
      JsonNode job =
          new JobSender(api)
              .sendAll(
                  JobFileSet.read(List.of(file.toString()), Map.of(), false, DataSets.NONE).jobs())
              .getFirst();
      assertThat(job.path("tasks").asInt()).isEqualTo(TASKS);
      String path = "/api/v1/jobs/" + job.path("id").asText();
      JsonNode page = api.get(path + "/tasks?from=99990&limit=50");
      assertThat(page.path("tasks")).hasSize(11);
      assertThat(page.path("tasks").get(10).path("params").path("seed").asText())
          .isEqualTo("99999");
      assertThat(cancel(api, 50_001, TASKS, path)).isEqualTo(50_000);
      JsonNode cancelled = api.get(path + "/tasks?state=CANCELLED&limit=10");
      assertThat(cancelled.path("tasks").get(0).path("number").asInt()).isEqualTo(50_001);
      JsonNode rest =
          api.post(
              "/api/v1/bulk",
              Map.of(
                  "action",
                  "cancel",
                  "filter",
                  Map.of("project", "large", "states", List.of("READY"))));
      assertThat(rest.path("tasks").asInt()).isEqualTo(50_000);
      assertThat(api.get(path).path("status").asText()).isEqualTo("CANCELLED");
    }
  }

  private static int cancel(ApiClient api, int from, int to, String path) {
    return api.post(path + "/cancel", Map.of("from", from, "to", to)).path("changed").asInt();
  }
}
