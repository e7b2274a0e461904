package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.TextTable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code imker ls}: jobs, newest first. */
@Command(
    name = "ls",
    description =
        "List jobs, newest first; those of one executor of a Java program, or of one"
            + " actor, share one line.")
public final class ListCommand extends PoolCommand {
  private static final int MAX_PAGES = 50;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      description = "How many (default: ${DEFAULT-VALUE}).")
  int limit = 20;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only QUEUED, RUNNING, DONE, FAILED or CANCELLED ones.")
  @Nullable String status;

  @Option(names = "--project", paramLabel = "NAME", description = "Only jobs of this project.")
  @Nullable String project;

  @Override
  public int run(ApiClient api) {
    StringBuilder path = new StringBuilder("/api/v1/jobs?limit=").append(limit);
    if (status != null) {
      path.append("&status=").append(ApiClient.encode(status));
    }
    if (project != null) {
      path.append("&project=").append(ApiClient.encode(project));
    }
    JsonNode answer = api.get(path.toString());
    return show(
        answer,
        out -> {
          TextTable table =
              new TextTable(
                  "ID", "NAME", "STATUS", "DONE", "TASKS", "FAILED", "SUBMITTED", "COMMAND");
          lines(api, path.toString(), answer).forEach(line -> table.add(line.cells()));
          if (table.isEmpty()) {
            out.println("No jobs. Run one with: imker run --wait -- echo hello");
          } else {
            table.print(out);
          }
        });
  }

  /**
   * The jobs of an executor are one line; as they take no more room, further ones are asked for.
   */
  private Collection<ListedJob> lines(ApiClient api, String path, JsonNode answer) {
    Map<String, ListedJob> lines = new LinkedHashMap<>();
    JsonNode page = answer;
    for (int pages = 1; ; pages++) {
      for (JsonNode job : page.path("jobs")) {
        String key = job.path("group").asText(job.path("id").asText());
        ListedJob line = lines.get(key);
        if (line != null) {
          line.add(job);
        } else if (lines.size() < limit) {
          lines.put(key, new ListedJob(job));
        }
      }
      if (lines.size() >= limit || !page.hasNonNull("next") || pages == MAX_PAGES) {
        return lines.values();
      }
      page = api.get(path + "&before=" + page.path("next").asLong());
    }
  }
}
