package dev.imker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.imker.cli.api.ApiClient;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a command does with jobs it has just submitted: says so, or waits for them. */
final class Follow {
  private final ApiClient api;
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;

  Follow(ApiClient api, PrintWriter out, PrintWriter err, boolean json) {
    this.api = api;
    this.out = out;
    this.err = err;
    this.json = json;
  }

  /** Prints where to look for the jobs. */
  int announce(List<JsonNode> views) {
    if (json) {
      print(views);
      return ExitCodes.OK;
    }
    for (JsonNode view : views) {
      long tasks = view.path("tasks").asLong();
      out.println(
          "job %d (%s): %d %s; follow with: imker wait %d"
              .formatted(
                  view.path("id").asLong(),
                  view.path("name").asText(),
                  tasks,
                  tasks == 1 ? "task" : "tasks",
                  view.path("id").asLong()));
    }
    return ExitCodes.OK;
  }

  /**
   * Waits for the jobs, one after the other, and shows what came out.
   *
   * @param results where results go; several jobs get a sub-folder each
   */
  int await(List<JsonNode> views, @Nullable Path results) {
    int exitCode = ExitCodes.OK;
    ArrayNode all = ApiClient.json().createArrayNode();
    for (JsonNode view : views) {
      Path folder =
          results == null || views.size() == 1
              ? results
              : results.resolve(view.path("id").asText());
      exitCode = Math.max(exitCode, await(view, folder, all));
    }
    if (json) {
      print(all.valueStream().toList());
    }
    return exitCode;
  }

  private int await(JsonNode view, @Nullable Path folder, ArrayNode all) {
    long id = view.path("id").asLong();
    JobOutcome outcome = new JobOutcome(api, out, err);
    JsonNode job = outcome.await(id, ProgressLine.ofNewJob(), json);
    int tasks = job.path("tasks").asInt();
    Selection.Part whole = new Selection.Part(id, job.path("name").asText(), tasks, 1, tasks, true);
    if (folder != null) {
      outcome.fetchResults(whole, folder);
    }
    if (json) {
      all.add(outcome.asJson(job, whole, folder));
      return JobOutcome.exitCode(job);
    }
    if (!job.path("kind").asText().equals("NOOP")) {
      outcome.printOutputs(whole);
    }
    if (folder != null) {
      err.println("results: " + folder + (Files.exists(folder) ? "" : " (none)"));
    }
    outcome.explainFailures(job, whole);
    return JobOutcome.exitCode(job);
  }

  private void print(List<JsonNode> nodes) {
    OutputOptions.printJson(
        out,
        nodes.size() == 1 ? nodes.getFirst() : ApiClient.json().createArrayNode().addAll(nodes));
  }
}
