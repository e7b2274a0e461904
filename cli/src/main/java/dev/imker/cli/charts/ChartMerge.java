package dev.imker.cli.charts;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.jobfile.draft.UnfinishedJob;
import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker chart merge}: a report of what an unfinished analysis has got so far. */
@Command(
    name = "merge",
    description = "Write a report of what an analysis running in the pool has computed so far.")
final class ChartMerge extends PoolCommand {
  private static final int PAGE = 1000;

  @Parameters(paramLabel = "JOB", description = "Number of the job.")
  long job;

  @Option(names = "--out", paramLabel = "DIR", required = true, description = "Folder to write to.")
  Path folder = Path.of("");

  @Override
  public int run(ApiClient api) {
    UnfinishedChart chart = new UnfinishedChart(new Remote(api, spec(api)));
    if (!chart.isChart()) {
      throw new ImkerException("Job " + job + " is not a chart analysis.");
    }
    try {
      if (!chart.write(folder, System.out)) {
        throw new ImkerException("Job " + job + " has no results yet; try again later.");
      }
      out().println("Written to " + folder);
    } catch (IOException e) {
      throw new ImkerException("Cannot write the report: " + e.getMessage(), e);
    }
    return ExitCodes.OK;
  }

  private JobSpec spec(ApiClient api) {
    JsonNode node = api.get("/api/v1/jobs/" + job + "?spec=true").path("spec");
    try {
      return ApiClient.json().treeToValue(node, JobSpec.class);
    } catch (JsonProcessingException e) {
      throw new ImkerException("The job cannot be read: " + e.getOriginalMessage(), e);
    }
  }

  private final class Remote implements UnfinishedJob {
    private final ApiClient api;
    private final JobSpec spec;

    Remote(ApiClient api, JobSpec spec) {
      this.api = api;
      this.spec = spec;
    }

    @Override
    public JobSpec spec() {
      return spec;
    }

    @Override
    public void fetchInput(InputFile input, Path target) {
      api.download("/api/v1/blobs/" + input.blob().sha256(), target);
    }

    @Override
    public int fetchResults(String namePrefix, Path target) {
      int count = 0;
      String tasks = "/api/v1/jobs/" + job + "/tasks?state=DONE&limit=" + PAGE;
      JsonNode page = api.get(tasks);
      while (true) {
        for (JsonNode task : page.path("tasks")) {
          count += fetch(task, namePrefix, target);
        }
        if (!page.hasNonNull("next")) {
          return count;
        }
        page = api.get(tasks + "&from=" + page.get("next").asText());
      }
    }

    private int fetch(JsonNode task, String namePrefix, Path target) {
      int count = 0;
      for (JsonNode result : task.path("results")) {
        String path = result.path("path").asText();
        if (path.startsWith(namePrefix) && path.indexOf('/') < 0) {
          api.download(
              "/api/v1/tasks/" + task.path("id").asText() + "/results/" + ApiClient.encode(path),
              target.resolve(path));
          count++;
        }
      }
      return count;
    }
  }
}
