package dev.imker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.charts.pool.PoolPlan;
import dev.imker.charts.pool.PoolTask;
import dev.imker.charts.pool.PoolTaskMain;
import dev.imker.cli.api.ApiClient;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker chart merge}: a report of what an unfinished analysis has got so far. */
@Command(
    name = "merge",
    description = "Write the report of what an analysis in the pool has got so far.")
final class ChartMerge extends DropCommand.OnServer {
  @Parameters(paramLabel = "JOB", description = "Number of the job.")
  long job;

  @Option(names = "--out", paramLabel = "DIR", required = true, description = "Folder to write to.")
  Path folder = Path.of("");

  @Override
  int on(ApiClient api) {
    JsonNode spec = api.get("/api/v1/jobs/" + job + "?spec=true").path("spec");
    JsonNode stages = spec.path("stages");
    JsonNode last = stages.path(stages.size() - 1);
    String plan = last.path("env").path(PoolTaskMain.PLAN).asText();
    if (plan.isEmpty()) {
      throw new ImkerException("Job " + job + " is no chart analysis.");
    }
    try {
      Path work = Files.createTempDirectory("imker-merge");
      try {
        fetchCandles(api, last, work);
        fetchParts(api, work);
        new PoolTask(PoolPlan.decode(plan), work, System.out).reportUnfinished(folder);
        out().println("Written to " + folder);
      } finally {
        delete(work);
      }
    } catch (IOException e) {
      throw new ImkerException("The report cannot be written: " + e.getMessage(), e);
    }
    return ExitCodes.OK;
  }

  private static void fetchCandles(ApiClient api, JsonNode stage, Path work) throws IOException {
    for (JsonNode input : stage.path("inputs")) {
      Path target = work.resolve(input.path("path").asText()).normalize();
      Files.createDirectories(target.getParent());
      JsonNode blob = input.path("blob");
      String sha256 = blob.isObject() ? blob.path("sha256").asText() : blob.asText();
      api.download("/api/v1/blobs/" + sha256, target);
    }
  }

  private void fetchParts(ApiClient api, Path work) throws IOException {
    Path parts = Files.createDirectories(work.resolve(PoolTask.PARTS));
    JsonNode page = api.get("/api/v1/jobs/" + job + "/tasks?state=DONE&limit=1000");
    for (JsonNode task : page.path("tasks")) {
      for (JsonNode result : task.path("results")) {
        String path = result.path("path").asText();
        if (path.startsWith("part-") && path.indexOf('/') < 0) {
          api.download(
              "/api/v1/tasks/" + task.path("id").asText() + "/results/" + ApiClient.encode(path),
              parts.resolve(path));
        }
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
